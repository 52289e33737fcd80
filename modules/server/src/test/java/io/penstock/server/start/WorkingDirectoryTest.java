package io.penstock.server.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ServerProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is started in a hostile folder, such as a cloned repository, uses nothing from it. */
@Tag("server")
class WorkingDirectoryTest {

    private static final String MARK = "from the working directory";

    private final Path data = ServerProcess.folder();
    private final Path folder = ServerProcess.folder();

    @AfterEach
    void deleteFolders() {
        ServerProcess.delete(data);
        ServerProcess.delete(folder);
    }

    @Test
    void noPageComesFromTheWorkingDirectory() throws IOException {
        Path assets = Files.createDirectories(folder.resolve("web/assets"));
        for (String page : List.of("index.html", "docs.html", "index.html.gz", "docs.html.gz", "assets/evil.js")) {
            Files.writeString(folder.resolve("web").resolve(page), MARK);
        }
        Files.createSymbolicLink(assets.resolve("t.txt"), data.resolve("token"));
        Files.createSymbolicLink(assets.resolve("passwd"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(assets.resolve("root"), Path.of("/"));
        // Names that the server's libraries look up by themselves.
        for (String name : List.of(
                "simplelogger.properties",
                "vertx-default-jul-logging.properties",
                "logback.xml",
                "openapi.json",
                "policy.yaml",
                ".hotspotrc",
                ".hotspot_compiler",
                ".pgpass")) {
            Files.writeString(folder.resolve(name), "= : " + MARK + "\norg.slf4j.simpleLogger.logFile=planted.log\n");
        }
        try (ServerProcess server = ServerProcess.readyIn(folder, data, "--port", "0")) {
            String page = server.get("/").body();
            assertTrue(page.contains("<title>Penstock"), page);
            Matcher asset = Pattern.compile("/assets/[A-Za-z0-9_.-]+\\.js").matcher(page);
            assertTrue(asset.find(), page);
            // An asset of the page is put into the folder under the same name, and is still served from the program.
            String genuine = server.get(asset.group()).body();
            Files.writeString(folder.resolve("web" + asset.group()), MARK);
            assertEquals(genuine, server.get(asset.group()).body());
            for (String path : List.of("/", "/index.html", "/docs", "/docs.html", "/openapi.json")) {
                HttpResponse<String> answer = server.get(path);
                assertEquals(200, answer.statusCode(), path);
                assertFalse(answer.body().contains(MARK), path);
            }
            for (String path : List.of(
                    "/assets/evil.js",
                    "/assets/t.txt",
                    "/assets/passwd",
                    "/assets/root/etc/passwd",
                    "/web/index.html",
                    "/index.html.gz",
                    "/assets/",
                    "/assets/%2e%2e/index.html")) {
                assertEquals(404, server.get(path).statusCode(), path);
            }
        }
        assertFalse(Files.exists(folder.resolve("planted.log")));
    }
}
