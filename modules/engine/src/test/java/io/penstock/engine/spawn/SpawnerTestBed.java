package io.penstock.engine.spawn;

import io.penstock.frames.Channel;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Event loops, a folder, and short ways to start a program; kills everything that a test started at its end. */
abstract class SpawnerTestBed {
    static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", "/usr/local/bin:/usr/bin:/bin", "TERM", "xterm-256color");

    @TempDir
    Path folder = Path.of("");

    Vertx vertx = Vertx.vertx();
    final List<Observed> started = new ArrayList<>();

    abstract Spawner spawner();

    @BeforeEach
    void startLoops() {
        vertx.close().await();
        vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
    }

    @AfterEach
    void endAll() {
        for (Observed each : started) {
            each.process.killAll();
            each.finish();
        }
        vertx.close().await();
    }

    Observed start(SpawnRequest request) {
        return start(request, vertx.getOrCreateContext());
    }

    Observed start(SpawnRequest request, Context owner) {
        try {
            var observed = new Observed(spawner().spawn(request), owner);
            started.add(observed);
            return observed;
        } catch (SpawnFailure e) {
            throw new AssertionError(e);
        }
    }

    SpawnRequest pipes(String... command) {
        return SpawnRequest.pipes(List.of(command), ENVIRONMENT, folder);
    }

    SpawnRequest terminal(String... command) {
        return SpawnRequest.terminal(List.of(command), ENVIRONMENT, folder, new TerminalSize(30, 100));
    }

    SpawnRequest shell(String script) {
        return pipes("/bin/sh", "-c", script);
    }

    SpawnRequest terminalShell(String script) {
        return terminal("/bin/sh", "-c", script);
    }

    static Channel main(SpawnRequest request) {
        return request.mode().channels().getFirst();
    }
}
