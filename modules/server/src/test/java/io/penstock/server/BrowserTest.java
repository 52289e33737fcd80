package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.ground.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The web client in a real Chromium beside a real server; the facts themselves are in web-client/browser/facts.mjs. */
class BrowserTest {

    private final Path data = ServerProcess.folder();

    @AfterEach
    void deleteData() {
        ServerProcess.delete(data);
    }

    /** On a machine that has no browser yet, it is installed first. */
    @Test
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    void whatPeopleDoInTheBrowserWorks() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.ready(data, "--port", "0")) {
            // It ends by a deadline of its own, with a sentence that says where it was.
            Process facts = new ProcessBuilder(
                            "node",
                            "browser/facts.mjs",
                            server.address(),
                            data.resolve("token").toString())
                    .directory(Checkout.ROOT.resolve("web-client").toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(facts.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, facts.waitFor(), said);
            assertTrue(said.endsWith("all of it is so\n"), said);
        }
    }
}
