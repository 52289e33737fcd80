package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.Payloads.ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.engine.log.journal.JournalUnavailable.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a small real tmpfs, so only where one can be mounted. */
class JournalDiskFullTest {
    private static final int SEGMENT = 64 << 10;

    @TempDir
    Path directory;

    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        mounted = run("mount", "-t", "tmpfs", "-o", "size=" + 4 * SEGMENT, "tmpfs", directory.toString());
        assumeTrue(mounted, "no tmpfs can be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            run("umount", directory.toString());
        }
    }

    @Test
    void appendsOnAFullTmpfsWaitForAReleaseOfSegments() throws Exception {
        try (Journal journal = Journal.open(settings(), 0)) {
            List<byte[]> accepted = fill(journal);
            JournalState.Full full = assertInstanceOf(JournalState.Full.class, journal.state());
            assertTrue(full.reason().contains("No space left"), full.reason());
            assertTrue(full.reason().contains(directory.toString()), full.reason());
            JournalTest.assertSame(accepted, Payloads.readAll(journal));
            CountDownLatch room = new CountDownLatch(1);
            journal.onRoom(room::countDown);
            journal.release(journal.tail());
            assertTrue(room.await(10, TimeUnit.SECONDS), () -> journal.stats().toString());
            assertTrue(journal.append(new byte[1000]) > 0);
        }
    }

    @Test
    void appendsOnAFullTmpfsContinueWhenOthersMakeRoom() throws Exception {
        Path other = Files.write(directory.resolve("other"), new byte[SEGMENT]);
        try (Journal journal = Journal.open(settings(), 0)) {
            List<byte[]> accepted = fill(journal);
            CountDownLatch room = new CountDownLatch(1);
            journal.onRoom(room::countDown);
            assertEquals(Journal.NO_ROOM_ON_DISK, journal.append(new byte[1000]));
            Files.delete(other);
            assertTrue(room.await(10, TimeUnit.SECONDS), () -> journal.stats().toString());
            accepted.add(new byte[1000]);
            assertTrue(journal.append(accepted.getLast()) > 0);
            JournalTest.assertSame(accepted, Payloads.readAll(journal));
        }
    }

    @Test
    void openingOnAFullTmpfsFailsAndLeavesNothingBehind() throws Exception {
        Files.write(directory.resolve("other"), new byte[4 * SEGMENT - 8192]);
        JournalUnavailable e = assertThrows(JournalUnavailable.class, () -> Journal.open(settings(), 0));
        assertEquals(Reason.NO_ROOM, e.reason());
        assertTrue(e.sentence().contains("it needs 65536 bytes free"), e.sentence());
        assertTrue(SegmentFiles.inOrder(directory).isEmpty());
    }

    private JournalSettings settings() {
        return new JournalSettings(directory, ID, SEGMENT, 2000, 64L << 20, new Fsync.Never());
    }

    /** Appends until the disk, and the last segment on it, is full. */
    private static List<byte[]> fill(Journal journal) {
        List<byte[]> accepted = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (System.nanoTime() < deadline) {
            byte[] payload = new byte[1000];
            payload[0] = (byte) accepted.size();
            long position = journal.append(payload);
            if (position >= 0) {
                accepted.add(payload);
            } else if (journal.state() instanceof JournalState.Full) {
                return accepted;
            }
        }
        throw new AssertionError("the disk did not get full: " + journal.stats());
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
