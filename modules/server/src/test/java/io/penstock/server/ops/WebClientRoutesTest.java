package io.penstock.server.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebClientRoutesTest {

    /** The total with the terminal: the size promised in docs/web.md, with room to grow. */
    private static final int ALL_BYTES = 250 * 1024;

    private static final Pattern ASSET = Pattern.compile("/assets/([A-Za-z0-9_.-]+[.]js)");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void listen() {
        Router router = Router.router(vertx);
        WebClientRoutes.add(router);
        server = vertx.createHttpServer().requestHandler(router).listen(0).await();
    }

    @AfterEach
    void close() {
        vertx.close().await();
        http.close();
    }

    @Test
    void filesAreSentPackedToWhoTakesThat() throws IOException, InterruptedException {
        assertEquals(List.of("no-cache"), get("/", "gzip").headers().allValues("cache-control"));
        for (String path : List.of("/", "/docs", asset())) {
            HttpResponse<byte[]> plain = get(path, "identity");
            HttpResponse<byte[]> packed = get(path, "br, gzip");
            assertEquals(List.of(), plain.headers().allValues("content-encoding"));
            assertEquals(List.of("gzip"), packed.headers().allValues("content-encoding"), path);
            for (HttpResponse<byte[]> each : List.of(plain, packed)) {
                assertEquals(200, each.statusCode());
                assertEquals(List.of("accept-encoding"), each.headers().allValues("vary"));
                assertEquals(
                        1, each.headers().allValues("content-security-policy").size());
            }
            for (String header : List.of("content-type", "cache-control")) {
                assertEquals(
                        plain.headers()
                                .allValues(header)
                                .toString()
                                .replace("; ", ";")
                                .toLowerCase(),
                        packed.headers()
                                .allValues(header)
                                .toString()
                                .replace("; ", ";")
                                .toLowerCase());
            }
            assertArrayEquals(plain.body(), unpacked(packed.body()));
            assertTrue(packed.body().length < plain.body().length);
        }
    }

    @Test
    void clientWithoutGzipGetsPlainFilesAndUnknownPathsAre404() throws IOException, InterruptedException {
        assertEquals(List.of(), get("/", "gzip;q=0").headers().allValues("content-encoding"));
        HttpResponse<byte[]> nothing = get("/assets/nothing.js", "gzip");
        assertEquals(404, nothing.statusCode());
        assertEquals(List.of(), nothing.headers().allValues("cache-control"));
        assertEquals(List.of(), nothing.headers().allValues("content-encoding"));
        assertEquals(404, get("/%2e%2e/web/index.html", "gzip").statusCode());
    }

    @Test
    void theWholeWebClientIsSmall() throws IOException, InterruptedException {
        int bytes = 0;
        List<String> paths = new ArrayList<>(List.of("/"));
        for (int i = 0; i < paths.size(); i++) {
            HttpResponse<byte[]> packed = get(paths.get(i), "gzip");
            bytes += packed.body().length;
            // Pages and scripts name their assets, the former with the folder.
            String text = new String(unpacked(packed.body()), StandardCharsets.UTF_8);
            Pattern.compile("(?:/assets/|\\./|assets/)([A-Za-z0-9_-]+\\.(?:js|css))")
                    .matcher(text)
                    .results()
                    .map(found -> "/assets/" + found.group(1))
                    .filter(path -> !paths.contains(path))
                    .distinct()
                    .forEach(paths::add);
        }
        assertTrue(paths.size() > 4, paths.toString());
        assertTrue(bytes > 100 * 1024 && bytes <= ALL_BYTES, bytes + " bytes for " + paths);
    }

    private String asset() throws IOException, InterruptedException {
        var found = ASSET.matcher(new String(get("/", "identity").body(), StandardCharsets.UTF_8));
        assertTrue(found.find());
        return found.group();
    }

    private HttpResponse<byte[]> get(String path, String encoding) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.actualPort() + path))
                .header("accept-encoding", encoding)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    private static byte[] unpacked(byte[] bytes) throws IOException {
        return new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }
}
