package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.ArtifactsUnavailable;
import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.file.OpenFile;
import io.penstock.engine.artifact.file.OpenFiles;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
import io.penstock.engine.artifact.text.TextRange;
import io.penstock.frames.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storing resumes after a gap when a full disk has room again, and no reader takes the gap for bytes. On a real small disk. */
class GapTest {

    private static final int MIB = 1 << 20;

    @TempDir
    Path directory;

    private SmallDisk disk;
    private final Random random = new Random(7);
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @BeforeEach
    void mount() throws Exception {
        disk = new SmallDisk(directory, 16 * MIB);
    }

    @AfterEach
    void unmount() throws Exception {
        disk.unmount();
    }

    private ArtifactStore open() throws ArtifactsUnavailable {
        return ArtifactStore.open(directory.resolve("artifacts"));
    }

    private void append(ArtifactWriter writer, int bytes) {
        byte[] content = NaiveText.content(random, bytes);
        for (int at = 0; at < content.length; at += 3_000) {
            writer.append(ByteBuffer.wrap(content, at, Math.min(3_000, content.length - at)));
        }
        written.writeBytes(content);
    }

    /** Fills the disk, writes until storing stops, makes room and writes until storing has resumed. */
    private Gap gap(ArtifactWriter writer) throws IOException {
        disk.fill();
        while (writer.stopped() == null) {
            append(writer, 1_000);
        }
        long from = writer.bytesStored();
        assertEquals("No space left on device", writer.stopped());
        disk.empty();
        while (writer.stopped() != null) {
            byte[] piece = NaiveText.content(random, 2_000);
            writer.append(ByteBuffer.wrap(piece));
            written.writeBytes(piece);
        }
        ArtifactWriter.Missing missing = writer.gap();
        assertNotNull(missing);
        assertEquals(from, missing.offset());
        assertEquals("No space left on device", missing.why());
        long to = missing.offset() + missing.bytes();
        byte[] all = written.toByteArray();
        return new Gap(new LineMark(from, newlines(all, from)), new LineMark(to, newlines(all, to)));
    }

    private static long newlines(byte[] all, long to) {
        return Newlines.count(all, 0, (int) to);
    }

    @Test
    void storingResumesAtItsOffsetWhenThereIsSpace() throws Exception {
        Gap first;
        Gap second;
        byte[] all;
        try (ArtifactStore store = open()) {
            ArtifactWriter writer = store.create("gaps", Long.MAX_VALUE);
            append(writer, 2 * MIB);
            first = gap(writer);
            append(writer, 2 * MIB);
            second = gap(writer);
            append(writer, 300_000);
            all = written.toByteArray();
            assertEquals(all.length, writer.bytesStored());
            assertNull(writer.stopped());
            assertEquals(
                    first.bytes() + second.bytes() + " bytes are missing: No space left on device (" + writer.path()
                            + ")",
                    writer.error());
            check(store.find("gaps"), all, List.of(first, second));
            Sealed sealed = await(store.seal(writer.end()));
            assertEquals(all.length, sealed.bytes());
            assertEquals(NaiveText.digest(present(all, List.of(first, second))), sealed.digest());
            check(store.find("gaps"), all, List.of(first, second));
            assertEquals(
                    all.length - first.bytes() - second.bytes(),
                    store.retain(Retention.FOREVER).bytes());
        }
        try (ArtifactStore store = open()) {
            check(store.find("gaps"), all, List.of(first, second));
            store.delete("gaps");
        }
        try (var left = Files.walk(directory.resolve("artifacts"))) {
            assertEquals(
                    List.of(),
                    left.filter(file -> file.toString().contains("gaps")).toList());
        }
    }

    @Test
    void recoveredArtifactsHaveTheirGaps() throws Exception {
        Gap gap;
        byte[] all;
        try (ArtifactStore store = open()) {
            ArtifactWriter writer = store.create("left", Long.MAX_VALUE);
            append(writer, MIB);
            gap = gap(writer);
            append(writer, MIB);
            all = written.toByteArray();
        }
        try (ArtifactStore store = open()) {
            check(store.find("left"), all, List.of(gap));
            Sealed sealed = await(store.recover("left", all.length));
            assertEquals(NaiveText.digest(present(all, List.of(gap))), sealed.digest());
            check(store.find("left"), all, List.of(gap));
        }
    }

    @Test
    void gapBeyondTheRecordedBytesIsIgnored() throws Exception {
        Gap gap;
        try (ArtifactStore store = open()) {
            ArtifactWriter writer = store.create("left", Long.MAX_VALUE);
            append(writer, MIB);
            gap = gap(writer);
        }
        byte[] recorded = Arrays.copyOf(written.toByteArray(), (int) gap.from().offset());
        try (ArtifactStore store = open()) {
            Sealed sealed = await(store.recover("left", recorded.length));
            assertEquals(NaiveText.digest(recorded), sealed.digest());
            check(store.find("left"), recorded, List.of());
        }
    }

    @Test
    void lostBytesBehindAGapLeaveNoZeros() throws Exception {
        Gap gap;
        try (ArtifactStore store = open()) {
            ArtifactWriter writer = store.create("left", Long.MAX_VALUE);
            append(writer, MIB);
            gap = gap(writer);
            Path file = store.find("left").file();
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(gap.to().offset() - 1);
            }
        }
        byte[] stored = Arrays.copyOf(written.toByteArray(), (int) gap.from().offset());
        try (ArtifactStore store = open()) {
            Sealed sealed = await(store.recover("left", written.size()));
            assertEquals(stored.length, sealed.bytes());
            assertEquals(NaiveText.digest(stored), sealed.digest());
        }
    }

    /** An output on a disk that was full for a moment this many times. */
    private ArtifactWriter withGaps(ArtifactStore store, String id, int count) throws IOException {
        var files = new ArtifactFiles(directory.resolve("artifacts"));
        var gaps = Gaps.NONE;
        for (int i = 0; i < count; i++) {
            gaps = gaps.with(new Gap(new LineMark(2L * i, 0), new LineMark(2L * i + 1, 0)), files.gaps(id));
        }
        var file = new OpenFile(files.bytes(id), new OpenFiles(1), false);
        var growing = new GrowingArtifact(id, Long.MAX_VALUE, LineMark.START, gaps, file);
        return store.begin(growing, file, Long.MAX_VALUE);
    }

    @Test
    void storingStopsForGoodAfterTheMostGaps() throws Exception {
        Gap last;
        long stored;
        try (ArtifactStore store = open()) {
            ArtifactWriter writer = withGaps(store, "limit", Limits.ARTIFACT_GAPS - 1);
            append(writer, MIB);
            last = gap(writer);
            append(writer, MIB);
            assertEquals(written.size(), writer.bytesStored());

            disk.fill();
            while (writer.stopped() == null) {
                append(writer, 1_000);
            }
            stored = writer.bytesStored();
            // Another output stops later, so it resumes later: by then this one has had its chance.
            ArtifactWriter other = store.create("other", Long.MAX_VALUE);
            byte[] piece = NaiveText.content(random, 1_000);
            while (other.stopped() == null) {
                other.append(ByteBuffer.wrap(piece));
            }
            disk.empty();
            while (other.stopped() != null) {
                append(writer, 1_000);
                other.append(ByteBuffer.wrap(piece));
            }
            append(writer, 1_000);
            assertEquals("No space left on device", writer.stopped());
            assertEquals(stored, writer.bytesStored());
            ArtifactWriter.Missing missing = writer.missingAtEnd();
            assertNotNull(missing);
            assertEquals(stored, missing.offset());
            assertEquals(written.size() - stored, missing.bytes());
            assertEquals(
                    "Storing stopped after " + stored + " bytes: No space left on device (" + writer.path() + ")",
                    writer.error());
            assertEquals(stored, await(store.seal(writer.end())).bytes());
        }
        try (ArtifactStore store = open()) {
            Artifact artifact = store.find("limit");
            assertEquals(stored, artifact.storedBytes());
            checkRun(
                    artifact,
                    Arrays.copyOf(written.toByteArray(), (int) stored),
                    last.to().offset(),
                    stored);
        }
    }

    @Test
    void tailsAreCutThroughGaps() throws Exception {
        try (ArtifactStore store = open()) {
            assumeTrue(store.canKeepTails(), "no holes here");
            ArtifactWriter writer = store.create("tail", MIB, true);
            append(writer, 2 * MIB);
            Gap gap = gap(writer);
            while (store.find("tail").firstByte() < gap.to().offset()) {
                append(writer, 2 * MIB);
            }
            append(writer, 10 * MIB);
            Sealed sealed = await(store.seal(writer.end()));
            Artifact artifact = store.find("tail");
            byte[] all = written.toByteArray();
            long first = artifact.firstByte();
            assertTrue(first >= gap.to().offset() && all.length - first < MIB + 128 * 1024, "from " + first);
            byte[] kept = Arrays.copyOfRange(all, (int) first, all.length);
            assertEquals(NaiveText.digest(kept), sealed.digest());
            assertArrayEquals(kept, artifact.read(first, 4 * MIB));
            assertEquals(NaiveText.lines(all).size(), artifact.lineCount());
            assertThrows(BytesGone.class, () -> artifact.read(gap.from().offset(), 10));
        }
    }

    @Test
    void gapFileSurvivesATornEntry() throws Exception {
        var gaps = Gaps.NONE;
        Path file = directory.resolve("notes");
        for (int i = 0; i < Limits.ARTIFACT_GAPS; i++) {
            gaps = gaps.with(new Gap(new LineMark(10L * i, i), new LineMark(10L * i + 5, i)), file);
        }
        assertEquals(gaps, Gaps.read(file));
        assertEquals(5 * Limits.ARTIFACT_GAPS, gaps.missingBefore(Long.MAX_VALUE));
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Files.size(file) - 1);
        }
        assertEquals(
                gaps.list().subList(0, Limits.ARTIFACT_GAPS - 1),
                Gaps.read(file).list());
    }

    private static byte[] present(byte[] all, List<Gap> gaps) {
        var present = new ByteArrayOutputStream();
        int at = 0;
        for (Gap gap : gaps) {
            present.write(all, at, (int) gap.from().offset() - at);
            at = (int) gap.to().offset();
        }
        present.write(all, at, all.length - at);
        return present.toByteArray();
    }

    private static void check(Artifact artifact, byte[] all, List<Gap> gaps) throws IOException {
        assertEquals(all.length, artifact.storedBytes());
        long at = 0;
        for (Gap gap : gaps) {
            checkRun(artifact, all, at, gap.from().offset());
            long from = gap.from().offset();
            long to = gap.to().offset();
            for (long offset : List.of(from, (from + to) / 2, to - 1)) {
                BytesGone gone = assertThrows(BytesGone.class, () -> artifact.read(offset, 10));
                assertEquals(to, gone.first());
                assertThrows(BytesGone.class, () -> artifact.text(offset, 10));
                assertThrows(BytesGone.class, () -> artifact.checkWhole(offset, 1));
                assertEquals(to, artifact.nextByte(offset));
            }
            BytesGone across = assertThrows(BytesGone.class, () -> artifact.checkWhole(from - 1, 2));
            assertEquals(String.valueOf(from), across.details().get("missing_offset_bytes"));
            assertEquals(String.valueOf(to), across.details().get("first_offset_bytes"));
            assertEquals(
                    String.valueOf(gap.to().newlines() + 2), across.details().get("first_line"));
            assertEquals(
                    String.valueOf(gap.from().newlines() + 1), across.details().get("missing_line"));
            at = to;
        }
        checkRun(artifact, all, at, all.length);
        assertEquals(gaps.stream().mapToLong(Gap::bytes).sum(), artifact.missingBefore(all.length));
        checkLines(artifact, all, gaps);
    }

    /** Bytes and text are there up to the gap behind them, and no further. */
    private static void checkRun(Artifact artifact, byte[] all, long from, long to) throws IOException {
        byte[] run = Arrays.copyOfRange(all, (int) from, (int) to);
        assertArrayEquals(run, artifact.read(from, all.length));
        artifact.checkWhole(from, to - from);
        var text = new StringBuilder();
        long offset = from;
        while (offset < to) {
            TextRange page = artifact.text(offset, 100_000);
            text.append(page.text());
            assertTrue(page.length() > 0 && page.offset() + page.length() <= to, page.offset() + "+" + page.length());
            offset = page.offset() + page.length();
        }
        assertEquals(NaiveText.decode(run), text.toString());
    }

    private static void checkLines(Artifact artifact, byte[] all, List<Gap> gaps) throws IOException {
        List<byte[]> lines = NaiveText.lines(all);
        assertEquals(lines.size(), artifact.lineCount());
        long offset = 0;
        int gone = 0;
        for (int i = 0; i < lines.size(); i++) {
            long line = i + 1L;
            long from = offset;
            long to = from + lines.get(i).length;
            boolean touched = gaps.stream()
                    .anyMatch(gap -> line >= gap.from().newlines() + 1
                            && line <= gap.to().newlines() + 1);
            if (touched) {
                gone++;
            }
            if (touched && gone % 50 == 1) {
                // Except one next to the gap whose bytes are complete, which cannot be known.
                boolean beside = gaps.stream()
                        .allMatch(gap ->
                                to <= gap.from().offset() || from >= gap.to().offset());
                if (!beside) {
                    assertThrows(BytesGone.class, () -> artifact.lines(line, line));
                }
            } else if (!touched && i % 100 == 0) {
                LineRange range = artifact.lines(line, line);
                assertEquals(from, range.bytes().offset());
                assertEquals(to - from, range.bytes().length());
            }
            offset = to;
        }
        assertEquals(gaps.isEmpty(), gone == 0);
        if (!gaps.isEmpty()) {
            assertThrows(BytesGone.class, () -> artifact.lines(1, Long.MAX_VALUE));
        }
    }
}
