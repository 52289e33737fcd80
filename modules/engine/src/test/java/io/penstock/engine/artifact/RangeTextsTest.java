package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.text.TextRange;
import io.penstock.engine.artifact.text.Utf8;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts of ranges that follow each other are together the text of the whole, wherever they are cut. */
class RangeTextsTest {

    @TempDir
    Path directory;

    @Test
    void textsOfAllRangesJoinToTheWholeText() throws Exception {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 8)) {
            for (int seed = 0; seed < 200; seed++) {
                Random random = new Random(seed);
                byte[] content = NaiveText.content(random, 1 << random.nextInt(12));
                Artifact artifact = stored(store, "seed-" + seed, content);
                String whole = artifact.text(0, content.length).text();
                List<Integer> cuts = cuts(content.length, random);
                int from = random.nextInt(cuts.size());

                var joined = new StringBuilder();
                long shown = 0;
                RangeTexts texts = artifact.rangeTexts(false);
                for (int i = from; i + 1 < cuts.size(); i++) {
                    TextRange text = texts.endingIn(cuts.get(i), cuts.get(i + 1) - cuts.get(i), Long.MAX_VALUE);
                    assertTrue(text.offset() + text.length() <= cuts.get(i + 1));
                    assertEquals(i == from ? text.offset() : shown, text.offset(), "seed " + seed);
                    shown = text.offset() + text.length();
                    joined.append(text.text());
                }
                int unfinished = content.length - (int) (from + 1 == cuts.size() ? content.length : shown);
                assertTrue(unfinished < Utf8.LONGEST, "seed " + seed);
                String expected = unfinished == 0 ? whole : whole.substring(0, whole.length() - 1);
                assertTrue(expected.endsWith(joined.toString()), "seed " + seed);
                if (from == 0) {
                    assertEquals(expected, joined.toString(), "seed " + seed);
                }
            }
        }
    }

    @Test
    void brokenCharacterBelongsToTheRangeThatBreaksIt() throws Exception {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 1)) {
            RangeTexts texts = stored(store, "a", new byte[] {(byte) 0xe2, (byte) 0x82, 'A'})
                    .rangeTexts(false);
            assertEquals(new TextRange("", 0, 0), texts.endingIn(0, 2, Long.MAX_VALUE));
            assertEquals(new TextRange("\ufffdA", 0, 3), texts.endingIn(2, 1, Long.MAX_VALUE));
        }
    }

    @Test
    void textEndsBeforeTheLimitWithAWholeCharacter() throws Exception {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 1)) {
            RangeTexts texts = stored(store, "a", "a€b".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                    .rangeTexts(false);
            assertEquals(new TextRange("a", 0, 1), texts.endingIn(0, 5, 3));
            assertEquals(new TextRange("a€", 0, 4), texts.endingIn(0, 5, 4));
            assertEquals(new TextRange("", 1, 0), texts.endingIn(1, 4, 1));
        }
    }

    private static Artifact stored(ArtifactStore store, String id, byte[] content) {
        ArtifactWriter writer = store.create(id, Long.MAX_VALUE);
        writer.append(ByteBuffer.wrap(content));
        await(store.seal(writer.end()));
        return store.find(id);
    }

    private static List<Integer> cuts(int length, Random random) {
        var cuts = new ArrayList<Integer>();
        int largest = 1 + random.nextInt(40);
        for (int at = 0; at < length; at += 1 + random.nextInt(largest)) {
            cuts.add(at);
        }
        cuts.add(length);
        return cuts;
    }
}
