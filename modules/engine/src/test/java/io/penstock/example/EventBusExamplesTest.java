package io.penstock.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.postgres.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs of docs/event-bus.md run as they stand there, with what the engine offers to other packages. */
class EventBusExamplesTest {

    @Test
    void documentedProgramRunsATask() {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        try {
            assertEquals("nonzero: hello\n", EmbeddedEngine.hello(vertx, TestDatabase.directory()));
        } finally {
            vertx.close().await();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EmbeddedEngine", "BuildWatcher"})
    void pageShowsTheProgramThatRuns(String name) throws IOException {
        String source = Files.readString(Path.of("src/test/java/io/penstock/example/" + name + ".java"));
        assertTrue(
                Files.readString(Path.of("../../docs/event-bus.md"))
                        .contains(source.substring(source.indexOf("import "))),
                "docs/event-bus.md shows another " + name);
    }
}
