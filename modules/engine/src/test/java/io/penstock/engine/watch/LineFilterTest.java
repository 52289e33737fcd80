package io.penstock.engine.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which lines are searched, and that no hit is lost with the others. */
class LineFilterTest {

    private static List<WatchSpec> watchers(String... regexes) {
        return Arrays.stream(regexes).map(regex -> new WatchSpec(regex, "e")).toList();
    }

    private static LineFilter filter(String... regexes) {
        var filter = new LineFilter();
        filter.use(GramTable.of(watchers(regexes)).orElseThrow());
        // The filter begins with the next line.
        filter.feed(0, ByteBuffer.wrap(new byte[] {'\n'}));
        return filter;
    }

    private static List<LineFilter.Part> parts(LineFilter filter, String... pieces) {
        List<LineFilter.Part> parts = new ArrayList<>();
        long offset = 1;
        for (String piece : pieces) {
            byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
            parts.addAll(filter.feed(offset, ByteBuffer.wrap(bytes)));
            offset += bytes.length;
        }
        return parts;
    }

    private static String text(LineFilter.Part part) {
        return new String(part.bytes(), StandardCharsets.UTF_8);
    }

    private static List<String> passed(LineFilter filter, String... pieces) {
        return parts(filter, pieces).stream()
                .map(part -> part.offset() + " " + text(part))
                .toList();
    }

    @Test
    void onlyLinesThatMayMatchArePassedOn() {
        assertEquals(
                List.of("7 an ERROR: x\nerror: y\n", "32 error: z\r"),
                passed(filter("(?i)error: .*"), "plain\nan ERROR: x\nerror: y\nerr\nerror: z\rerror\n"));
    }

    @Test
    void textInTwoPiecesIsFoundWithTheStartOfItsLine() {
        String line = "2026-11-20 the build has failed: step 3\n";
        for (int cut = 1; cut < line.length(); cut++) {
            List<LineFilter.Part> parts = parts(
                    filter("^[0-9-]+ .*failed: step \\d"),
                    "ok\n" + line.substring(0, cut),
                    line.substring(cut),
                    "ok\n");
            assertEquals(4, parts.getFirst().offset());
            assertEquals(line, parts.stream().map(LineFilterTest::text).collect(Collectors.joining()));
        }
    }

    @Test
    void unfinishedLineIsPassedOnWhenItIsLong() {
        var filter = filter("needle");
        String half = "x".repeat(Limits.WATCH_WINDOW_BYTES / 2);
        assertEquals(List.of(), passed(filter, half, half));
        assertEquals(1, passed(filter, "x").size());
        assertTrue(filter.isPassing());
    }

    @Test
    void releasedRestEndsWhereTheReadBytesDo() {
        var filter = filter("needle");
        assertEquals(List.of(), passed(filter, "a line\nand a half"));
        LineFilter.Part rest = filter.release(18).getFirst();
        assertEquals(8, rest.offset());
        assertEquals("and a half", text(rest));
    }

    @Test
    void filterThatPassesMostOnIsNotUsed() {
        var filter = filter("[0-9][0-9]");
        byte[] lines = "12 34\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 10; i++) {
            filter.feed(1 + (long) i * lines.length, ByteBuffer.wrap(lines));
        }
        byte[] plain = "plain\n".getBytes(StandardCharsets.UTF_8);
        assertEquals(
                1, filter.feed(1 + 10L * lines.length, ByteBuffer.wrap(plain)).size());
    }

    @Test
    void patternsWithoutALiteralHaveNoTable() {
        for (String regex : List.of(".", "\\w+", "a*b", "[ab]|c", "(?i)ſ", "x?y?z", "(ab|.)c*", ".{5}é?")) {
            assertEquals(Optional.empty(), GramTable.of(watchers("literal", regex)), regex);
        }
        var window = new WatchSpec("literal", "e", Set.of(Channel.PTY), false, WatchScope.WINDOW);
        assertEquals(Optional.empty(), GramTable.of(List.of(window)));
        for (String regex : List.of("ab", "(?i)a[bc]+", "x*(ab|cd)", "é", "\\d+\\.[a-f]+", "(a+)bc?", "(?:ab){2,}")) {
            assertTrue(GramTable.of(watchers(regex)).isPresent(), regex);
        }
    }

    /** With the filter and without, for any patterns, bytes and pieces. */
    @Test
    void filteredOutputHasTheSameHits() {
        int filtered = 0;
        for (int round = 0; round < 4_000; round++) {
            var patterns = new RandomPatterns(7_000 + round);
            Random random = patterns.random();
            WatchPlan plan = plan(patterns);
            Optional<GramTable> table = GramTable.of(plan.specs());
            filtered += table.isPresent() ? 1 : 0;
            byte[] bytes = patterns.output(200);
            var expected = new WatchedOutput(new OutputWatcher(plan), Channel.PTY)
                    .feed(bytes)
                    .end();
            var filter = new LineFilter();
            var watcher = new OutputWatcher(plan);
            List<WatchHit> hits = new ArrayList<>();
            int use = random.nextInt(bytes.length);
            for (int at = 0; at < bytes.length; ) {
                if (at >= use) {
                    filter.use(table.orElse(null));
                }
                int to = Math.min(bytes.length, at + random.nextInt(1 << random.nextInt(8)));
                for (LineFilter.Part part : filter.feed(at, ByteBuffer.wrap(bytes, at, to - at))) {
                    hits.addAll(watcher.feed(Channel.PTY, part.offset(), part.bytes(), 0, part.bytes().length));
                }
                at = to;
            }
            hits.addAll(watcher.end(Channel.PTY));
            assertEquals(
                    Set.copyOf(expected.hits()),
                    Set.copyOf(hits),
                    () -> plan.specs() + " in " + new String(bytes, StandardCharsets.UTF_8));
            assertEquals(expected.hits().size(), hits.size());
        }
        assertTrue(filtered > 400, "of 4000 only " + filtered + " have a table");
    }

    /** One or two patterns that are not refused. */
    private static WatchPlan plan(RandomPatterns patterns) {
        while (true) {
            String[] regexes = patterns.random().nextBoolean()
                    ? new String[] {patterns.pattern()}
                    : new String[] {patterns.pattern(), patterns.pattern()};
            try {
                return WatchPlan.of(watchers(regexes));
            } catch (Failure refused) {
                // The next ones then.
                continue;
            }
        }
    }
}
