package io.penstock.engine;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.pty4j.Pty4jSpawner;
import io.penstock.frames.Containment;
import io.penstock.frames.Failure;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which spawner there is, where it works and where it doesn't. */
class ChosenSpawnerTest {

    private static ChosenSpawner deployed(boolean nativeTransport, SpawnerChoice choice) {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(nativeTransport));
        try {
            var verticle = new ChosenSpawner(choice);
            await(vertx.deployVerticle(verticle));
            return verticle;
        } finally {
            await(vertx.close());
        }
    }

    @Test
    void itIsNativeWhereThatWorksUnlessAskedOtherwise() {
        for (SpawnerChoice choice : new SpawnerChoice[] {SpawnerChoice.AUTOMATIC, SpawnerChoice.NATIVE}) {
            ChosenSpawner verticle = deployed(true, choice);
            assertInstanceOf(NativeSpawner.class, verticle.spawner());
            assertEquals(Optional.empty(), verticle.whyNotNative());
        }
        ChosenSpawner asked = deployed(true, SpawnerChoice.PTY4J);
        assertInstanceOf(Pty4jSpawner.class, asked.spawner());
        assertEquals(Containment.DESCENDANTS, asked.spawner().containment());
        assertEquals(Optional.empty(), asked.whyNotNative());
    }

    @Test
    void pty4jReplacesANativeSpawnerThatDoesNotWork() {
        ChosenSpawner verticle = deployed(false, SpawnerChoice.AUTOMATIC);
        assertInstanceOf(Pty4jSpawner.class, verticle.spawner());
        assertTrue(verticle.whyNotNative().orElseThrow().contains("event loops that use epoll"));

        Failure refused = assertThrows(Failure.class, () -> deployed(false, SpawnerChoice.NATIVE));
        assertTrue(String.valueOf(refused.getMessage()).contains("use --spawner pty4j"), refused::getMessage);
    }
}
