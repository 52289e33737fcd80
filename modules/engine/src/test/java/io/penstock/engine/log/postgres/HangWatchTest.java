package io.penstock.engine.log.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HangWatchTest {

    private static final Duration HUNG_AFTER = Duration.ofMinutes(5);

    private final AtomicLong now = new AtomicLong();

    @TempDir
    Path folder;

    @Test
    void slowProgramGetsAnyTimeAsLongAsItGetsOn() throws Exception {
        Process busy = Programs.builder(List.of("/bin/sh", "-c", "while :; do :; done"))
                .start();
        try {
            var watch = new HangWatch(HUNG_AFTER, now::get);
            List<ProcessHandle> processes = List.of(busy.toHandle());
            Duration used = Duration.ofNanos(-1);
            for (int hour = 0; hour < 5; hour++) {
                while (HangWatch.processorTime(processes).equals(used)) {
                    Thread.onSpinWait();
                }
                used = HangWatch.processorTime(processes);
                now.addAndGet(TimeUnit.HOURS.toNanos(1));
                assertFalse(watch.isHung(used));
            }
        } finally {
            busy.destroyForcibly().waitFor();
        }
    }

    @Test
    void programThatDoesNothingHangs() throws Exception {
        // One that is stopped uses no processor time for certain.
        Process idle =
                Programs.builder(List.of("/bin/sh", "-c", "kill -STOP $$")).start();
        try {
            var watch = new HangWatch(HUNG_AFTER, now::get);
            List<ProcessHandle> processes = List.of(idle.toHandle());
            while (!Files.readString(Path.of("/proc/" + idle.pid() + "/stat")).contains(") T ")) {
                Thread.onSpinWait();
            }
            Duration used = HangWatch.processorTime(processes);
            assertFalse(watch.isHung(used));
            now.addAndGet(HUNG_AFTER.toNanos() - 1);
            assertFalse(watch.isHung(HangWatch.processorTime(processes)));
            now.addAndGet(1);
            assertTrue(watch.isHung(HangWatch.processorTime(processes)));
        } finally {
            idle.destroyForcibly().waitFor();
        }
    }

    @Test
    void hungProgramIsKilledWithItsChildren() throws Exception {
        // It returns once no process holds its output, not even its child.
        var finished = Programs.run(List.of("/bin/sh", "-c", "sleep 600 & wait"), "", Duration.ZERO);
        assertEquals(137, finished.exit());
    }

    @Test
    void hungStartSaysThatPostgresHangs() throws Exception {
        Process idle = Programs.builder(List.of("sleep", "600")).start();
        try {
            var log = new ServerLog(folder.resolve("postgres.log"), ServerLog.BYTES);
            var hangs =
                    assertThrows(PostgresUnavailable.class, () -> Readiness.await(idle, folder, log, Duration.ZERO));
            assertTrue(String.valueOf(hangs.getMessage()).contains("hangs"), hangs::toString);
        } finally {
            idle.destroyForcibly().waitFor();
        }
    }

    @Test
    void endedStartSaysHowPostgresEnded() throws IOException, InterruptedException {
        Process ended = Programs.builder(List.of("/bin/sh", "-c", "exit 3")).start();
        var log = new ServerLog(folder.resolve("postgres.log"), ServerLog.BYTES);
        var said = assertThrows(PostgresUnavailable.class, () -> Readiness.await(ended, folder, log, HUNG_AFTER));
        assertTrue(String.valueOf(said.getMessage()).contains("ended with code 3"), said::toString);
    }
}
