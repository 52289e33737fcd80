package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.JournalTest.assertSame;
import static io.penstock.engine.log.journal.Payloads.append;
import static io.penstock.engine.log.journal.Payloads.appendAll;
import static io.penstock.engine.log.journal.Payloads.payloads;
import static io.penstock.engine.log.journal.Payloads.readAll;
import static io.penstock.engine.log.journal.Payloads.small;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

@Tag("long")
class JournalDamageTest {
    // In memory if possible: a thousand cuts are forced to the disk here.
    @TempDir(factory = InMemory.class)
    Path directory;

    @Test
    void truncatedJournalYieldsAPrefixAndAcceptsAppends() throws IOException {
        List<byte[]> payloads = payloads(7, 6);
        Path original = directory.resolve("original");
        long tail = fill(original, payloads);
        Path file = SegmentFiles.inOrder(original).getFirst();
        List<Integer> lengths = new ArrayList<>();
        for (int length = 0; length < 4096; length += 61) {
            lengths.add(length);
        }
        for (int length = 4096; length <= tail + 16; length++) {
            lengths.add(length);
        }
        for (int length : lengths) {
            Path copy = Files.createDirectory(directory.resolve("at-" + length));
            byte[] bytes = Files.readAllBytes(file);
            Files.write(copy.resolve(file.getFileName()), java.util.Arrays.copyOf(bytes, length));
            goesOnWithAPrefix(copy, payloads, tail);
            deleteAll(copy);
        }
    }

    @Test
    void flippedBitYieldsAPrefixAndAReport() throws IOException {
        Random random = new Random(8);
        List<byte[]> payloads = payloads(8, 150);
        Path original = directory.resolve("original");
        long tail = fill(original, payloads);
        List<Path> files = SegmentFiles.inOrder(original);
        assertTrue(files.size() > 2);
        for (int round = 0; round < 400; round++) {
            Path copy = Files.createDirectory(directory.resolve("round-" + round));
            copyAll(files, copy);
            Path hit = copy.resolve(files.get(random.nextInt(files.size())).getFileName());
            try (RandomAccessFile bytes = new RandomAccessFile(hit.toFile(), "rw")) {
                for (int flips = random.nextInt(3); flips >= 0; flips--) {
                    long at = random.nextLong(bytes.length());
                    bytes.seek(at);
                    int was = bytes.read();
                    bytes.seek(at);
                    bytes.write(was ^ 1 << random.nextInt(8));
                }
            }
            goesOnWithAPrefix(copy, payloads, tail);
            deleteAll(copy);
        }
    }

    @Test
    void segmentsAfterAMissingOneAreSetAside() throws IOException {
        List<byte[]> payloads = payloads(9, 200);
        long tail = fill(directory, payloads);
        Files.delete(SegmentFiles.inOrder(directory).get(1));
        try (Journal journal = Journal.open(small(directory), 0)) {
            assertFalse(journal.recovery().setAside().isEmpty());
            journal.recovery().setAside().forEach(aside -> assertTrue(Files.exists(aside)));
            List<byte[]> read = readAll(journal);
            assertSame(payloads.subList(0, read.size()), read);
            assertTrue(append(journal, new byte[3]) >= tail, "no position is given twice");
        }
        try (Journal journal = Journal.open(small(directory), 0)) {
            assertTrue(journal.recovery().clean(), journal.recovery()::toString);
        }
    }

    @Test
    void journalReportsSegmentsMissingAtItsStart() throws IOException {
        List<byte[]> payloads = payloads(10, 200);
        fill(directory, payloads);
        Files.delete(SegmentFiles.inOrder(directory).getFirst());
        try (Journal journal = Journal.open(small(directory), 0)) {
            assertTrue(journal.recovery().sentences().getFirst().contains("missing"));
            List<byte[]> read = readAll(journal);
            assertSame(payloads.subList(200 - read.size(), 200), read);
        }
    }

    @Test
    void journalBehindTheDatabaseContinuesAfterIt() throws IOException {
        long tail = fill(directory, payloads(11, 60));
        for (long drained : new long[] {tail + 8, tail + 100_000, tail + 1_000_003}) {
            long next;
            try (Journal journal = Journal.open(small(directory), drained)) {
                assertFalse(journal.recovery().clean());
                assertTrue(readAll(journal).isEmpty());
                next = append(journal, new byte[] {1, 2, 3});
                assertTrue(next >= drained);
            }
            try (Journal journal = Journal.open(small(directory), drained)) {
                assertTrue(journal.recovery().clean(), journal.recovery()::toString);
                assertArrayEquals(new byte[] {1, 2, 3}, journal.read(next));
            }
        }
    }

    @Test
    void unfinishedSegmentIsDroppedAndReportedIfItHadContent() throws IOException {
        List<byte[]> payloads = payloads(13, 60);
        fill(directory, payloads);
        long after = SegmentFiles.baseOf(SegmentFiles.inOrder(directory).getLast()) + 8192;
        Path last = directory.resolve("%016x.journal".formatted(after));
        Files.write(last, new byte[100]);
        Path unfinished = Files.write(directory.resolve(last.getFileName() + ".new"), new byte[] {1});
        try (Journal journal = Journal.open(small(directory), 0)) {
            assertTrue(journal.recovery().clean(), journal.recovery()::toString);
            assertFalse(Files.exists(unfinished));
            assertSame(payloads, readAll(journal));
        }
        Files.write(last, new byte[] {0, 1, 2});
        try (Journal journal = Journal.open(small(directory), 0)) {
            assertEquals(1, journal.recovery().setAside().size(), journal.recovery()::toString);
            assertSame(payloads, readAll(journal));
        }
    }

    @Test
    void cutBytesAreSavedInAFile() throws IOException {
        List<byte[]> payloads = payloads(12, 20);
        fill(directory, payloads);
        Path file = SegmentFiles.inOrder(directory).getFirst();
        long at;
        try (Journal journal = Journal.open(small(directory), 0)) {
            JournalReader reader = journal.reader(0);
            for (int i = 0; i < 10; i++) {
                assertTrue(reader.next());
            }
            at = reader.position();
        }
        byte[] before = Files.readAllBytes(file);
        before[(int) at + 4] ^= 1;
        Files.write(file, before);
        try (Journal journal = Journal.open(small(directory), 0)) {
            Recovery recovery = journal.recovery();
            assertEquals(at, recovery.position());
            byte[] cut = Files.readAllBytes(recovery.cutFile().orElseThrow());
            assertEquals(recovery.bytesCut(), cut.length);
            assertArrayEquals(java.util.Arrays.copyOfRange(before, (int) at, (int) at + cut.length), cut);
            assertSame(payloads.subList(0, 9), readAll(journal));
        }
    }

    private static long fill(Path directory, List<byte[]> payloads) {
        try (Journal journal = Journal.open(small(directory), 0)) {
            appendAll(journal, payloads);
            return journal.tail();
        }
    }

    private static void goesOnWithAPrefix(Path directory, List<byte[]> payloads, long tail) throws IOException {
        List<byte[]> expected;
        boolean emptyFile = Files.size(SegmentFiles.inOrder(directory).getFirst()) == 0;
        try (Journal journal = Journal.open(small(directory), 0)) {
            List<byte[]> read = readAll(journal);
            assertTrue(read.size() <= payloads.size());
            assertSame(payloads.subList(0, read.size()), read);
            byte[] more = {42};
            long position = append(journal, more);
            if (read.size() < payloads.size()) {
                // A crash during its creation leaves an empty file: nothing to report.
                boolean wasEmpty = read.isEmpty() && emptyFile;
                assertTrue(wasEmpty || !journal.recovery().clean(), () -> "not reported in " + directory);
                assertTrue(wasEmpty || position >= tail);
            }
            expected = new ArrayList<>(read);
            expected.add(more);
        }
        try (Journal journal = Journal.open(small(directory), 0)) {
            assertTrue(journal.recovery().clean(), journal.recovery()::toString);
            assertSame(expected, readAll(journal));
        }
    }

    private static void copyAll(List<Path> files, Path to) throws IOException {
        for (Path file : files) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }

    static final class InMemory implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "journal")
                    : Files.createTempDirectory("journal");
        }
    }
}
