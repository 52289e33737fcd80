package io.penstock.bench.load;

import io.penstock.bench.log.Machine;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./penstock load}: one run of load, and its report. */
@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs many tasks with viewers over HTTP, times them, and checks every stream.")
public final class LoadRun implements Callable<Integer> {

    @Option(names = "--tasks", paramLabel = "N", description = "tasks to run in all (default: ${DEFAULT-VALUE})")
    private int tasks = 500;

    @Option(
            names = "--viewers",
            paramLabel = "M",
            description = "viewers of each task, from its first frame to its end (default: ${DEFAULT-VALUE})")
    private int viewers = 1;

    @Option(
            names = "--connections",
            paramLabel = "C",
            description = "connections over which tasks are spawned concurrently (default: ${DEFAULT-VALUE})")
    private int connections = 8;

    @Option(
            names = "--rate",
            paramLabel = "R",
            description = "tasks started per second; 0 starts the next when one has ended (default: ${DEFAULT-VALUE})")
    private int perSecond = 0;

    @Option(
            names = "--lines",
            paramLabel = "L",
            description =
                    "lines that each task writes, each with the time at which it was written (default: ${DEFAULT-VALUE})")
    private int lines = 10;

    @Option(
            names = "--line-bytes",
            paramLabel = "B",
            description = "approximate size of a line (default: ${DEFAULT-VALUE})")
    private int lineBytes = 100;

    @Option(
            names = "--every",
            paramLabel = "MS",
            description = "time between two lines of a task (default: ${DEFAULT-VALUE})")
    private int everyMs = 0;

    @Option(
            names = "--bulk",
            paramLabel = "BYTES",
            description =
                    "size of the output that each task writes at once, after its lines (default: ${DEFAULT-VALUE})")
    private long bulk = 0;

    @Option(names = "--mode", paramLabel = "MODE", description = "pipes or pty (default: ${DEFAULT-VALUE})")
    private String mode = "pipes";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "address of a running server; without it, one is started for this run and then stopped")
    private @Nullable String url;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "the access token of that server; without it, none is sent")
    private @Nullable Path tokenFile;

    @Option(names = "--json", paramLabel = "FILE", description = "file for all figures, for programs")
    private @Nullable Path json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Returns the exit code: 1 if a frame was lost, duplicated or out of order, or a task failed. */
    @Override
    public Integer call() throws IOException, InterruptedException, ExecutionException {
        LoadOptions options = options();
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        try (LoadedServer server = LoadedServer.of(options)) {
            System.out.println(Machine.now());
            Promise<Load> made = Promise.promise();
            Promise<Void> done = Promise.promise();
            Context loop = vertx.getOrCreateContext();
            long cpu = server.cpuNanos();
            long begun = System.nanoTime();
            loop.runOnContext(v -> {
                var load = new Load(vertx, options, server);
                made.complete(load);
                load.run().onComplete(done);
            });
            done.future().toCompletionStage().toCompletableFuture().get();
            double seconds = (System.nanoTime() - begun) / 1e9;
            double cpuSeconds = (server.cpuNanos() - cpu) / 1e9;
            return report(options, made.future().result(), seconds, cpuSeconds);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }

    private LoadOptions options() {
        try {
            return new LoadOptions(
                    tasks,
                    viewers,
                    connections,
                    perSecond,
                    lines,
                    lineBytes,
                    everyMs,
                    bulk,
                    mode,
                    url,
                    tokenFile,
                    json);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static int report(LoadOptions options, Load load, double seconds, double cpuSeconds) throws IOException {
        boolean well = load.lost == 0 && load.doubled == 0 && load.outOfPlace == 0 && load.failures == 0;
        System.out.printf(
                Locale.ROOT,
                """

                %,d tasks (%s), %d viewers each, in %.2f s: %.0f tasks/s
                %,d frames seen: %,.0f/s; %.1f MB/s of output and %.1f MB/s on the wire, all viewers together
                """,
                load.ended,
                options.mode(),
                options.viewers(),
                seconds,
                load.ended / seconds,
                load.frames,
                load.frames / seconds,
                load.outputBytes / 1e6 / seconds,
                load.wireBytes / 1e6 / seconds);
        if (cpuSeconds > 0) {
            System.out.printf(
                    Locale.ROOT,
                    "the server's process: %.2f s of processor, %.2f cores, %.2f ms a task, %.1f µs a frame seen%n",
                    cpuSeconds,
                    cpuSeconds / seconds,
                    1e3 * cpuSeconds / load.ended,
                    1e6 * cpuSeconds / Math.max(1, load.frames));
        }
        System.out.println();
        System.out.println(Latencies.heading());
        System.out.println(load.spawned);
        System.out.println(load.endSeen);
        System.out.println(load.lineSeen);
        System.out.printf(
                Locale.ROOT,
                "%nframes lost %d, doubled %d, output out of place %d, tasks that failed %d%s%n",
                load.lost,
                load.doubled,
                load.outOfPlace,
                load.failures,
                load.failures == 0 ? "" : ": " + load.lastFailure);
        System.out.println(
                well ? "Every viewer saw every frame once, in order." : "SOMETHING IS WRONG: see the line above.");
        Path json = options.json();
        if (json != null) {
            Files.writeString(json, json(options, load, seconds, cpuSeconds).encodePrettily());
        }
        return well ? 0 : 1;
    }

    private static JsonObject json(LoadOptions options, Load load, double seconds, double cpuSeconds) {
        var report = new JsonObject()
                .put("machine", Machine.now())
                .put("mode", options.mode())
                .put("tasks", load.ended)
                .put("viewers", options.viewers())
                .put("seconds", seconds)
                .put("tasks_per_second", load.ended / seconds)
                .put("frames_seen", load.frames)
                .put("output_bytes_seen", load.outputBytes)
                .put("wire_bytes", load.wireBytes)
                .put("server_cpu_seconds", cpuSeconds)
                .put("frames_lost", load.lost)
                .put("frames_doubled", load.doubled)
                .put("output_out_of_place", load.outOfPlace)
                .put("tasks_failed", load.failures);
        load.spawned.addTo(report);
        load.endSeen.addTo(report);
        load.lineSeen.addTo(report);
        return report;
    }
}
