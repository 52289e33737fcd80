package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.text.LineIndex;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
import io.penstock.engine.artifact.text.TextRange;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However bytes arrive and are read, the answer is that of the naive implementation. */
class ArtifactPropertyTest {
    @TempDir
    Path directory;

    @Test
    void anyChunkingGivesTheSameBytesTextLinesAndDigest() throws Exception {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 1)) {
            for (int seed = 0; seed < 60; seed++) {
                Random random = new Random(seed);
                byte[] content = NaiveText.content(random, 1 << random.nextInt(21));
                String id = "seed-" + seed;
                ArtifactWriter writer = store.create(id, Long.MAX_VALUE);
                // A second one, so that with one open file each write may have to open its file again.
                ArtifactWriter other = store.create(id + ".other", Long.MAX_VALUE);
                Artifact artifact = store.find(id);
                int largest = 1 + random.nextInt(70_000);
                for (int at = 0, chunks = 0; at < content.length; chunks++) {
                    int length = Math.min(content.length - at, 1 + random.nextInt(largest));
                    assertEquals(length, writer.append(ByteBuffer.wrap(content, at, length)));
                    at += length;
                    other.append(ByteBuffer.wrap(content, 0, 1));
                    if (chunks % 16 == 0) {
                        checkPrefix(artifact, Arrays.copyOf(content, at), random);
                    }
                }
                Sealed sealed = await(store.seal(writer.end()));
                assertEquals(NaiveText.digest(content), sealed.digest(), id);
                assertEquals(content.length, sealed.bytes());
                assertEquals(sealed, artifact.sealed());
                checkAll(artifact, content, random);
                Artifact found = store.find(id);
                assertEquals(sealed, found.sealed());
                checkAll(found, content, random);
                assertTrue(store.openFiles() <= 1, "at most one file is open");
            }
        }
    }

    @Test
    void pagesOfAnySizeJoinToTheTextAndSplitNoCharacter() throws Exception {
        String text = "aé€\ud83d\ude00\r\n\u0000z";
        byte[] broken = {
            'a',
            (byte) 0xe2,
            (byte) 0x82,
            'b',
            (byte) 0xed,
            (byte) 0xa0,
            (byte) 0x80,
            (byte) 0xf0,
            (byte) 0x9f,
            (byte) 0x98,
            (byte) 0xc0,
            (byte) 0x80,
            (byte) 0x80,
            (byte) 0x80,
            (byte) 0x80,
            (byte) 0x80,
            (byte) 0xf5
        };
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        all.writeBytes(broken);
        all.writeBytes(text.getBytes(StandardCharsets.UTF_8));
        all.write(0xe2);
        byte[] content = all.toByteArray();
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            ArtifactWriter writer = store.create("text", Long.MAX_VALUE);
            writer.append(ByteBuffer.wrap(content));
            await(store.seal(writer.end()));
            Artifact artifact = store.find("text");
            for (int page = 1; page <= content.length + 1; page++) {
                assertEquals(NaiveText.decode(content), pages(artifact, page), "pages of " + page);
            }
            for (int from = 0; from < content.length; from++) {
                TextRange range = artifact.text(from, 1000);
                int skipped = (int) range.offset() - from;
                assertTrue(skipped >= 0 && skipped < 4, "skipped " + skipped);
                String whole = NaiveText.decode(content);
                assertTrue(whole.endsWith(range.text()), "from " + from);
                assertEquals(content.length, range.offset() + range.length());
            }
        }
    }

    @Test
    void incompleteCharacterIsLeftForTheNextPage() throws Exception {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            ArtifactWriter writer = store.create("growing", Long.MAX_VALUE);
            byte[] euro = "x€".getBytes(StandardCharsets.UTF_8);
            writer.append(ByteBuffer.wrap(euro, 0, 3));
            Artifact artifact = store.find("growing");
            assertEquals(new TextRange("x", 0, 1), artifact.text(0, 100));
            assertEquals(new TextRange("", 1, 0), artifact.text(1, 1));
            writer.append(ByteBuffer.wrap(euro, 3, 1));
            assertEquals(new TextRange("€", 1, 3), artifact.text(1, 1));
            assertEquals(new TextRange("", 4, 0), artifact.text(2, 1));
            writer.append(ByteBuffer.wrap(euro, 1, 2));
            assertEquals(new TextRange("x€", 0, 4), artifact.text(0, 100));
            await(store.seal(writer.end()));
            assertEquals(new TextRange("x€\ufffd", 0, 6), artifact.text(0, 100));
        }
    }

    @Test
    void indexOfFewMarksFindsEveryLine() {
        Random random = new Random(3);
        byte[] content = NaiveText.content(random, 300_000);
        LineIndex index = new LineIndex(16, 9);
        for (int at = 0; at < content.length; ) {
            int length = Math.min(content.length - at, 1 + random.nextInt(5000));
            index.add(Arrays.copyOfRange(content, at, at + length), length);
            at += length;
        }
        long newlines = Newlines.count(content, 0, content.length);
        assertEquals(new LineMark(content.length, newlines), index.end());
        ByteBuffer form = ByteBuffer.allocate(index.storedLength());
        index.storeInto(form);
        LineIndex restored = LineIndex.restore(form.flip());
        assertTrue(form.limit() < 200, "9 marks, not more: " + form.limit());
        for (int n = 1; n <= newlines; n++) {
            LineMark mark = index.before(n);
            assertTrue(mark.newlines() < n);
            assertEquals(mark, restored.before(n));
            assertEquals(mark.newlines(), Newlines.count(content, 0, (int) mark.offset()));
            int found = Newlines.find(content, (int) mark.offset(), content.length, n - mark.newlines());
            assertTrue(found - mark.offset() <= 65536, "one stride is scanned, not " + (found - mark.offset()));
        }
    }

    private static String pages(Artifact artifact, int page) throws Exception {
        StringBuilder text = new StringBuilder();
        for (long at = 0; at < artifact.storedBytes(); ) {
            TextRange range = artifact.text(at, page);
            assertEquals(at, range.offset(), "pages after each other have no gap");
            assertTrue(range.length() > 0, "a page gets on");
            assertTrue(range.length() <= Math.max(page, 4), "a page is no longer than asked");
            text.append(range.text());
            at += range.length();
        }
        return text.toString();
    }

    private static void checkPrefix(Artifact artifact, byte[] content, Random random) throws Exception {
        assertEquals(content.length, artifact.storedBytes());
        List<byte[]> lines = NaiveText.lines(content);
        assertEquals(lines.size(), artifact.lineCount());
        checkLines(artifact, content, lines, random);
        // As it is when less is recorded than is written, and the index may be ahead of it.
        checkLinesOfTheFirst(content.length - random.nextInt(content.length), artifact, content, random);
        int from = random.nextInt(content.length);
        assertArrayEquals(
                Arrays.copyOfRange(content, from, Math.min(content.length, from + 1000)), artifact.read(from, 1000));
    }

    private static void checkAll(Artifact artifact, byte[] content, Random random) throws Exception {
        assertArrayEquals(content, artifact.read(0, Integer.MAX_VALUE));
        List<byte[]> lines = NaiveText.lines(content);
        assertEquals(lines.size(), artifact.lineCount());
        for (int i = 0; i < 5; i++) {
            checkLines(artifact, content, lines, random);
        }
        checkLinesOfTheFirst(1 + random.nextInt(content.length), artifact, content, random);
        assertEquals(NaiveText.decode(content), pages(artifact, 1 + content.length / (1 + random.nextInt(20))));
    }

    private static void checkLinesOfTheFirst(int length, Artifact artifact, byte[] content, Random random)
            throws Exception {
        byte[] first = Arrays.copyOf(content, length);
        checkLines(artifact, first, NaiveText.lines(first), random);
    }

    private static void checkLines(Artifact artifact, byte[] content, List<byte[]> lines, Random random)
            throws Exception {
        int first = 1 + random.nextInt(lines.size() + 2);
        int last = first + random.nextInt(lines.size() + 2);
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int line = first; line <= Math.min(last, lines.size()); line++) {
            expected.writeBytes(lines.get(line - 1));
        }
        // Of the whole, the length may be given or not.
        LineRange range = content.length == artifact.storedBytes() && random.nextBoolean()
                ? artifact.lines(first, last)
                : artifact.lines(first, last, content.length);
        ByteRange bytes = range.bytes();
        assertArrayEquals(
                expected.toByteArray(),
                Arrays.copyOfRange(content, (int) bytes.offset(), (int) (bytes.offset() + bytes.length())),
                () -> first + " to " + last + " of " + lines.size());
        assertEquals(Math.max(first - 1, Math.min(last, lines.size())), range.last());
    }
}
