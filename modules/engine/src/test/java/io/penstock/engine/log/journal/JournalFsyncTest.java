package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.Payloads.append;
import static io.penstock.engine.log.journal.Payloads.payloads;
import static io.penstock.engine.log.journal.Payloads.readAll;
import static io.penstock.engine.log.journal.Payloads.small;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.journal.JournalUnavailable.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFsyncTest {
    @TempDir
    Path directory;

    @Test
    void withNeverAcceptedRecordsCountAsDurable() {
        try (Journal journal = Journal.open(small(directory), 0)) {
            long position = append(journal, new byte[8]);
            assertTrue(durable(journal, position).isDone());
            assertEquals(journal.tail(), journal.durablePosition());
        }
    }

    @Test
    void withAnIntervalEverythingIsDurableSoon() throws Exception {
        everyRecordBecomesDurable(new Fsync.Interval(Duration.ofMillis(5)));
    }

    @Test
    void withAlwaysAwaitedRecordsBecomeDurableInGroups() throws Exception {
        everyRecordBecomesDurable(new Fsync.Always());
    }

    private void everyRecordBecomesDurable(Fsync fsync) throws Exception {
        JournalSettings settings = small(directory, 8192, fsync);
        List<byte[]> payloads = payloads(1, 300);
        try (Journal journal = Journal.open(settings, 0)) {
            CountDownLatch all = new CountDownLatch(payloads.size());
            for (byte[] payload : payloads) {
                long position = append(journal, payload);
                journal.whenDurable(
                        position,
                        () -> {
                            if (journal.durablePosition() > position) {
                                all.countDown();
                            }
                        },
                        failure -> {});
            }
            assertTrue(all.await(10, TimeUnit.SECONDS), () -> journal.stats().toString());
            assertEquals(journal.tail(), journal.durablePosition());
        }
        try (Journal journal = Journal.open(settings, 0)) {
            assertTrue(journal.recovery().clean(), journal.recovery()::toString);
            JournalTest.assertSame(payloads, readAll(journal));
        }
    }

    @Test
    void aFailedForceEndsTheJournalForEveryWaiterAndEveryAppend() throws Exception {
        try (Journal journal = Journal.open(small(directory, 8192, new Fsync.Interval(Duration.ofHours(1))), 0)) {
            CompletableFuture<Void> waiting = durable(journal, append(journal, new byte[8]));
            assertFalse(waiting.isDone());
            journal.fail("The disk is gone.", new IOException("Input/output error"));
            ExecutionException e = assertThrows(ExecutionException.class, () -> waiting.get(10, TimeUnit.SECONDS));
            assertEquals(
                    Reason.FAILED,
                    assertInstanceOf(JournalUnavailable.class, e.getCause()).reason());
            assertEquals(
                    Reason.FAILED,
                    assertThrows(JournalUnavailable.class, () -> journal.append(new byte[8]))
                            .reason());
            assertTrue(durable(journal, 4096).isCompletedExceptionally());
            assertInstanceOf(JournalState.Failed.class, journal.state());
            assertEquals(1, readAll(journal).size());
        } catch (JournalUnavailable atClose) {
            assertEquals(Reason.FAILED, atClose.reason());
        }
    }

    private static CompletableFuture<Void> durable(Journal journal, long position) {
        CompletableFuture<Void> durable = new CompletableFuture<>();
        journal.whenDurable(position, () -> durable.complete(null), durable::completeExceptionally);
        return durable;
    }
}
