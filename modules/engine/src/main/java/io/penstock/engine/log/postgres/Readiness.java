package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a Postgres that was started. For programs that are not clients, the file postmaster.pid is the only sign of
 * readiness; a start takes about 50 ms, and minutes after a crash or on an overloaded machine.
 */
final class Readiness {

    private static final long POLL_MILLIS = 3;

    /** Its signs of life take longer to collect than its readiness. */
    private static final long SIGNS_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private Readiness() {}

    /** Ends when it is ready, when it has ended, or when it has not got on for so long that it hangs. */
    static void await(Process process, Path data, ServerLog output, Duration hungAfter)
            throws IOException, InterruptedException, PostgresUnavailable {
        var watch = new HangWatch(hungAfter, System::nanoTime);
        long lookedAt = System.nanoTime();
        while (true) {
            Optional<PostmasterPid> file = PostmasterPid.read(data).filter(each -> each.pid() == process.pid());
            if (file.isPresent() && file.get().isReady()) {
                return;
            }
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new PostgresUnavailable("Postgres ended with code " + process.exitValue() + " while starting on "
                        + data + ", saying: " + output.tail() + " (its log is " + output.file() + ").");
            }
            if (System.nanoTime() - lookedAt >= SIGNS_EVERY_NANOS) {
                lookedAt = System.nanoTime();
                List<Object> signs =
                        List.of(file, Files.size(output.file()), HangWatch.processorTime(StaleServer.on(data)));
                if (watch.isHung(signs)) {
                    throw new PostgresUnavailable(
                            "Postgres on " + data + " hangs: it is not ready, and has done nothing for "
                                    + hungAfter.toSeconds() + " s; its last output: " + output.tail() + " (its log is "
                                    + output.file() + ").");
                }
            }
        }
    }
}
