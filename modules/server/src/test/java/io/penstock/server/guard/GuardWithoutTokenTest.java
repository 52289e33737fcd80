package io.penstock.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.server.api.ApiDocument;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.failure.ErrorAnswers;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With {@code --auth off}, every user of the machine is let in, and no page of another site. */
class GuardWithoutTokenTest {

    private final Vertx vertx = Vertx.vertx();
    private HttpServer server;

    @BeforeEach
    void start() {
        Guard guard = Guard.withoutToken("127.0.0.1");
        ApiDocument.Endpoint list = ApiDocument.read().places().stream()
                .filter(place -> place.operation() == ApiOperation.LIST_TASKS)
                .findFirst()
                .orElseThrow();
        Router router = Router.router(vertx);
        ErrorAnswers.add(router);
        router.route().handler(guard);
        router.route().handler(request -> {
            guard.admit(list, request);
            request.end("let in");
        });
        server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .await();
    }

    @AfterEach
    void stop() {
        vertx.close().await();
    }

    private int status(String... headers) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + "/tasks"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void callersWithoutABrowserAreLetIn() throws Exception {
        assertEquals(200, status());
    }

    /** A plain read from a page of another port has no Origin. */
    @ParameterizedTest
    @CsvSource({"same-origin, 200", "none, 200", "same-site, 403", "cross-site, 403"})
    void pagesOfOtherSitesAreRefused(String site, int status) throws Exception {
        assertEquals(status, status("Sec-Fetch-Site", site));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void itIsRefusedBeyondThisMachine(String host) {
        assertThrows(IllegalArgumentException.class, () -> Guard.withoutToken(host));
    }
}
