package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.program;
import static io.penstock.testbed.Await.await;

import com.sun.management.OperatingSystemMXBean;
import io.penstock.engine.Engine;
import io.penstock.engine.EngineSettings;
import io.penstock.engine.ledger.LogSettings;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures, not a test: tasks per second from spawn to end, with Postgres. Run its main. */
final class TaskFigures {

    private static final int CALLERS = 8;

    private TaskFigures() {}

    public static void main(String[] arguments) throws Exception {
        int tasks = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        Path folder = Files.createTempDirectory(Path.of("/tmp"), "penstock-figures-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
        var log = new LogSettings(folder, Path.of("/tmp/penstock-test-cache"), null, new Fsync.Never());
        Engine engine = await(Engine.start(vertx, new EngineSettings(log, folder)));
        for (ExecutionMode mode : ExecutionMode.values()) {
            for (int round = 0; round < rounds; round++) {
                long began = System.nanoTime();
                long cpuBefore = cpuNanos();
                List<Future<Void>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(oneAfterTheOther(engine.tasks(), mode, tasks / CALLERS));
                }
                for (Future<Void> caller : callers) {
                    caller.toCompletionStage().toCompletableFuture().get();
                }
                double seconds = (System.nanoTime() - began) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "%s: %d tasks from %d callers, %.0f/s, %d µs of CPU each%n",
                        mode,
                        tasks,
                        CALLERS,
                        tasks / seconds,
                        (cpuNanos() - cpuBefore) / 1_000 / tasks);
            }
        }
        await(engine.stop());
        await(vertx.close());
        System.exit(0);
    }

    /** CPU time of this process alone, without Postgres and programs; other load on the machine changes it little. */
    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static Future<Void> oneAfterTheOther(TaskApi tasks, ExecutionMode mode, int left) {
        return left == 0
                ? Future.succeededFuture()
                : tasks.spawn(program(mode, "/bin/true").request())
                        .compose(task -> ended(tasks, task))
                        .compose(end -> oneAfterTheOther(tasks, mode, left - 1));
    }

    private static Future<Frame> ended(TaskApi tasks, String task) {
        Promise<Frame> end = Promise.promise();
        var follower = tasks.follow(task, 1);
        follower.exceptionHandler(end::tryFail);
        follower.handler(frame -> {
            if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                follower.cancel();
                end.tryComplete(frame);
            }
        });
        return end.future();
    }
}
