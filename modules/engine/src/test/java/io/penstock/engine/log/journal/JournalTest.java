package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.Payloads.ID;
import static io.penstock.engine.log.journal.Payloads.append;
import static io.penstock.engine.log.journal.Payloads.appendAll;
import static io.penstock.engine.log.journal.Payloads.payloads;
import static io.penstock.engine.log.journal.Payloads.readAll;
import static io.penstock.engine.log.journal.Payloads.small;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.journal.JournalUnavailable.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    @TempDir
    Path directory;

    @Test
    void anyPayloadsComeBackUnchangedAlsoAfterReopening() {
        for (long seed = 0; seed < 20; seed++) {
            JournalSettings settings = small(directory.resolve("seed-" + seed));
            List<byte[]> payloads = payloads(seed, 300);
            List<Long> positions;
            try (Journal journal = Journal.open(settings, 0)) {
                assertTrue(journal.recovery().clean());
                positions = appendAll(journal, payloads);
                assertSame(payloads, readAll(journal));
            }
            try (Journal journal = Journal.open(settings, 0)) {
                assertTrue(journal.recovery().clean(), journal.recovery()::toString);
                assertSame(payloads, readAll(journal));
                for (int i = 0; i < payloads.size(); i++) {
                    assertArrayEquals(payloads.get(i), journal.read(positions.get(i)));
                }
            }
        }
    }

    @Test
    void readingResumesFromAnyPosition() {
        JournalSettings settings = small(directory);
        List<byte[]> payloads = payloads(1, 200);
        try (Journal journal = Journal.open(settings, 0)) {
            appendAll(journal, payloads);
            JournalReader reader = journal.reader(0);
            for (int i = 1; i < payloads.size(); i++) {
                assertTrue(reader.next());
                JournalReader again = journal.reader(reader.nextPosition());
                assertTrue(again.next());
                assertArrayEquals(payloads.get(i), java.util.Arrays.copyOf(again.buffer(), again.length()));
            }
        }
    }

    @Test
    void aJournalReopensCleanlyAtEveryDrainedPosition() {
        JournalSettings settings = small(directory);
        List<byte[]> payloads = payloads(2, 150);
        long drained = 0;
        for (int i = 0; i < payloads.size(); i++) {
            try (Journal journal = Journal.open(settings, drained)) {
                assertTrue(journal.recovery().clean(), journal.recovery()::toString);
                if (i == 0) {
                    appendAll(journal, payloads);
                }
                assertSame(payloads.subList(i, payloads.size()), readAll(journal));
                JournalReader reader = journal.reader(drained);
                assertTrue(reader.next());
                drained = reader.nextPosition();
            }
        }
        try (Journal journal = Journal.open(settings, drained)) {
            assertTrue(journal.recovery().clean(), journal.recovery()::toString);
            assertTrue(append(journal, new byte[5]) >= drained);
        }
    }

    @Test
    void releasedRecordsAreGoneAndTheirFilesToo() throws Exception {
        JournalSettings settings = small(directory);
        try (Journal journal = Journal.open(settings, 0)) {
            List<Long> positions = appendAll(journal, payloads(3, 300));
            assertTrue(journal.stats().segments() > 2);
            journal.release(journal.tail());
            assertEquals(1, journal.stats().segments());
            assertNull(journal.read(positions.getFirst()));
            JournalUnavailable gone = assertThrows(JournalUnavailable.class, () -> journal.reader(0));
            assertEquals(Reason.RELEASED, gone.reason());
        }
        // The current segment and the one prepared ahead.
        assertTrue(SegmentFiles.inOrder(directory).size() <= 2);
    }

    @Test
    void appendsAtTheBacklogLimitWaitForARelease() throws Exception {
        JournalSettings settings = new JournalSettings(directory, ID, 8192, 1000, 20_000, new Fsync.Never());
        try (Journal journal = Journal.open(settings, 0)) {
            CountDownLatch room = new CountDownLatch(1);
            journal.onRoom(() -> {
                if (journal.releasedPosition() > 0) {
                    room.countDown();
                }
            });
            long position = 0;
            while (position != Journal.NO_ROOM_IN_BACKLOG) {
                position = journal.append(new byte[500]);
            }
            long tail = journal.tail();
            assertEquals(Journal.NO_ROOM_IN_BACKLOG, journal.append(new byte[500]));
            assertEquals(tail, journal.tail());
            assertTrue(journal.stats().backlogBytes() <= 20_000);
            journal.release(tail);
            assertTrue(room.await(10, TimeUnit.SECONDS));
            assertTrue(append(journal, new byte[500]) >= tail);
        }
    }

    @Test
    void aRecordOverTheLimitIsRefusedAndNamed() {
        try (Journal journal = Journal.open(small(directory), 0)) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> journal.append(new byte[1501]));
            assertEquals("a journal record of 1501 bytes is over the limit of 1500 bytes", e.getMessage());
        }
    }

    @Test
    void aSecondOpenerInThisProcessIsRefusedAndHarmsNothing() {
        try (Journal journal = Journal.open(small(directory), 0)) {
            for (int i = 0; i < 2; i++) {
                JournalUnavailable e = assertThrows(JournalUnavailable.class, () -> Journal.open(small(directory), 0));
                assertEquals(Reason.IN_USE, e.reason());
                assertTrue(e.sentence().contains(directory.toString()), e.sentence());
            }
            append(journal, new byte[10]);
        }
        Journal.open(small(directory), 0).close();
    }

    @Test
    void anotherVersionIsRefusedWithNothingTouched() throws IOException {
        Journal.open(small(directory), 0).close();
        Path file = SegmentFiles.inOrder(directory).getFirst();
        byte[] bytes = Files.readAllBytes(file);
        bytes[8] = 2;
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(bytes, 0, 60);
        RecordFormat.INT_IN_ARRAY.set(bytes, 60, (int) crc.getValue());
        Files.write(file, bytes);
        List<Path> before = SegmentFiles.inOrder(directory);
        JournalUnavailable e = assertThrows(JournalUnavailable.class, () -> Journal.open(small(directory), 0));
        assertEquals(Reason.OTHER_VERSION, e.reason());
        assertTrue(e.sentence().contains("journal of version 2, this program reads version 1"), e.sentence());
        assertEquals(before, SegmentFiles.inOrder(directory));
        assertArrayEquals(bytes, Files.readAllBytes(file));
    }

    @Test
    void aForeignJournalIsRefused() {
        Journal.open(small(directory), 0).close();
        assertEquals(Optional.of(ID), Journal.idIn(directory));
        JournalSettings other = JournalSettings.of(directory, UUID.randomUUID());
        JournalUnavailable e = assertThrows(JournalUnavailable.class, () -> Journal.open(other, 0));
        assertEquals(Reason.FOREIGN, e.reason());
    }

    @Test
    void aDirectoryThatCannotBeIsRefusedInOneSentence() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        JournalUnavailable e =
                assertThrows(JournalUnavailable.class, () -> Journal.open(small(file.resolve("journal")), 0));
        assertEquals(Reason.NOT_WRITABLE, e.reason());
    }

    @Test
    void callsAfterTheCloseAreRefused() {
        Journal journal = Journal.open(small(directory), 0);
        append(journal, new byte[10]);
        JournalReader reader = journal.reader(0);
        journal.close();
        journal.close();
        assertInstanceOf(JournalState.Closed.class, journal.state());
        assertEquals(
                Reason.CLOSED,
                assertThrows(JournalUnavailable.class, () -> journal.append(new byte[1]))
                        .reason());
        assertEquals(
                Reason.CLOSED,
                assertThrows(JournalUnavailable.class, reader::next).reason());
        assertEquals(
                Reason.CLOSED,
                assertThrows(JournalUnavailable.class, () -> journal.read(4096)).reason());
    }

    static void assertSame(List<byte[]> expected, List<byte[]> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), actual.get(i), "record " + i);
        }
    }
}
