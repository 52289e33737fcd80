package io.penstock.engine.spawn;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Run in a JVM that may not inspect the programs it starts: reports when the program in its arguments waits for input. */
final class UninspectableProgram {
    private UninspectableProgram() {}

    public static void main(String[] arguments) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var request = SpawnRequest.terminal(
                List.of(arguments), Map.of("PATH", "/usr/bin:/bin"), Path.of("/"), TerminalSize.DEFAULT);
        Observed program = new Observed(new NativeSpawner(Optional.empty()).spawn(request), vertx.getOrCreateContext());
        Eventually.holds("it waits", () -> InputWaitContract.waits(program));
        System.out.println("waits");
        program.awaitWrite("\n");
        Eventually.holds("it goes on", () -> !InputWaitContract.waits(program));
        System.out.println("goes on");
        program.process.killAll();
        program.finish();
        vertx.close().await();
    }
}
