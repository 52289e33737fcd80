package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.Payloads.ID;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.journal.JournalUnavailable.Reason;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalConcurrencyTest {
    private static final int WRITERS = 3;
    private static final int EACH = 60_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    Path directory;

    @Test
    void readerSeesEveryWritersRecordsInOrderDuringReleases() throws Exception {
        JournalSettings settings = new JournalSettings(directory, ID, 64 << 10, 1000, 256 << 10, new Fsync.Never());
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong released = new AtomicLong();
        AtomicLong wrongReads = new AtomicLong();
        try (Journal journal = Journal.open(settings, 0);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int number = writer;
                writers.add(threads.submit(() -> write(journal, number)));
            }
            Future<?> reader = threads.submit(() -> readRandomly(journal, done, released, wrongReads));
            Future<?> follower = threads.submit(() -> followUntilReleased(journal, done));
            drain(journal, released);
            done.set(true);
            for (Future<?> writer : writers) {
                writer.get(20, TimeUnit.SECONDS);
            }
            reader.get(20, TimeUnit.SECONDS);
            follower.get(20, TimeUnit.SECONDS);
            assertEquals(0, wrongReads.get());
            assertTrue(journal.stats().segments() <= 5, () -> journal.stats().toString());
        }
    }

    @Test
    void readersOfAClosedJournalFailWithoutACrash() throws Exception {
        for (int round = 0; round < 30; round++) {
            JournalSettings settings = Payloads.small(directory.resolve("round-" + round));
            Journal journal = Journal.open(settings, 0);
            Payloads.appendAll(journal, Payloads.payloads(round, 100));
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                Future<Reason> reader = threads.submit(() -> readUntilRefused(journal));
                Future<Reason> writer = threads.submit(() -> appendUntilRefused(journal));
                journal.close();
                assertEquals(Reason.CLOSED, reader.get(10, TimeUnit.SECONDS));
                assertEquals(Reason.CLOSED, writer.get(10, TimeUnit.SECONDS));
            }
        }
    }

    private static void write(Journal journal, int writer) {
        ByteBuffer payload = ByteBuffer.allocate(60);
        for (int i = 0; i < EACH; i++) {
            payload.putInt(0, writer).putInt(4, i);
            while (journal.append(payload.array(), 0, 8 + i % 53) < 0) {
                Thread.yield();
            }
        }
    }

    private static void drain(Journal journal, AtomicLong released) {
        int[] next = new int[WRITERS];
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        JournalReader reader = journal.reader(0);
        for (int count = 0; count < WRITERS * EACH; ) {
            if (reader.next()) {
                ByteBuffer payload = ByteBuffer.wrap(reader.buffer(), 0, reader.length());
                assertEquals(next[payload.getInt(0)]++, payload.getInt(4));
                deadline = System.nanoTime() + PATIENCE_NANOS;
                if (++count % 100 == 0) {
                    released.set(reader.position());
                    journal.release(reader.position());
                }
            } else {
                assertTrue(System.nanoTime() < deadline, () -> "no record for long: " + journal.stats());
                Thread.yield();
            }
        }
    }

    private static void readRandomly(Journal journal, AtomicBoolean done, AtomicLong at, AtomicLong wrong) {
        while (!done.get()) {
            long position = at.get();
            byte[] payload = position == 0 ? null : journal.read(position);
            if (payload != null
                    && payload.length != 8 + ByteBuffer.wrap(payload).getInt(4) % 53) {
                wrong.incrementAndGet();
            }
        }
    }

    private static void followUntilReleased(Journal journal, AtomicBoolean done) {
        while (!done.get()) {
            try {
                JournalReader reader = journal.reader(journal.releasedPosition());
                while (!done.get() && reader.next()) {
                    Thread.onSpinWait();
                }
            } catch (JournalUnavailable e) {
                // Overtaken by the release, which is the subject of this test.
                assertEquals(Reason.RELEASED, e.reason());
            }
        }
    }

    private static Reason readUntilRefused(Journal journal) {
        try {
            JournalReader reader = journal.reader(0);
            while (true) {
                if (!reader.next()) {
                    reader = journal.reader(0);
                }
            }
        } catch (JournalUnavailable e) {
            return e.reason();
        }
    }

    private static Reason appendUntilRefused(Journal journal) {
        try {
            while (true) {
                journal.append(new byte[100]);
            }
        } catch (JournalUnavailable e) {
            return e.reason();
        }
    }
}
