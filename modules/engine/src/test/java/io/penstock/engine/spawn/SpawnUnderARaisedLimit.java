package io.penstock.engine.spawn;

import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.pty4j.Pty4jSpawner;
import io.penstock.frames.Channel;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Run in a JVM with a low limit of descriptors: raises it, and prints the limits that programs of each spawner see. */
final class SpawnUnderARaisedLimit {
    private SpawnUnderARaisedLimit() {}

    public static void main(String[] arguments) throws Exception {
        DescriptorBudget.raiseLimit(0);
        System.out.println("server " + new DescriptorBudget().limit());
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        // A program that looks only after the call that started it has returned.
        List<String> command = List.of("/bin/sh", "-c", "read go; echo limits $(ulimit -Sn) $(ulimit -Hn) end");
        for (Spawner spawner : List.of(new NativeSpawner(Optional.empty()), new Pty4jSpawner())) {
            for (SpawnRequest request : List.of(
                    SpawnRequest.pipes(command, Map.of(), Path.of("/")).withInput(),
                    SpawnRequest.terminal(command, Map.of(), Path.of("/"), TerminalSize.DEFAULT))) {
                var program = new Observed(spawner.spawn(request), vertx.getOrCreateContext());
                program.awaitWrite("go\n");
                Channel output = SpawnerTestBed.main(request);
                String said = program.awaitText(output, "end");
                System.out.println(said.substring(said.indexOf("limits")).strip());
                program.finish();
            }
        }
        System.exit(0);
    }
}
