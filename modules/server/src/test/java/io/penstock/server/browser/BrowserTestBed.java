package io.penstock.server.browser;

import io.penstock.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * A share of the facts about the web client in a real Chromium, beside a server of its own; the facts themselves are in
 * web-client/browser/facts. Each share is a class, so that the shares run side by side.
 */
@Tag("browser")
abstract class BrowserTestBed {

    private final Path data = ServerProcess.folder();
    private final ServerProcess server = ServerProcess.ready(data, "--port", "0");

    /** Such as 1/2. */
    abstract String share();

    /** A stop ends the tasks that facts have left; killing the server would not. */
    @AfterEach
    void endServer() {
        server.signal("TERM");
        server.exitCode();
        server.close();
        ServerProcess.delete(data);
    }

    /** Each fact is a test. On a machine that has no browser yet, it is installed first. */
    @TestFactory
    Stream<DynamicTest> facts() throws IOException {
        return BrowserFacts.run(arguments("--share=" + share())).tests();
    }

    List<String> arguments(String... options) {
        return Stream.concat(
                        Stream.of(options),
                        Stream.of(server.address(), data.resolve("token").toString()))
                .toList();
    }
}
