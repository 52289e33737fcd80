package io.penstock.engine.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Laws of watchers: hits are those of the plain pattern, and do not depend on how the bytes are cut. */
class WatchPropertyTest {

    private static final int ROUNDS = 500;

    @Test
    void lineHitsAreThoseOfThePatternAlone() {
        var patterns = new RandomPatterns(1);
        for (int round = 0; round < ROUNDS; round++) {
            String[] regexes = usable(patterns);
            byte[] bytes = patterns.output(60);
            var output = WatchedOutput.lines(regexes)
                    .feedInPieces(bytes, patterns.random())
                    .end();
            List<WatchHit> expected = new ArrayList<>();
            for (int i = 0; i < regexes.length; i++) {
                for (int from = 0, to; from < bytes.length; from = to + 1) {
                    to = lineEnd(bytes, from);
                    expected.addAll(plainHits(i, Pattern.compile(regexes[i]), bytes, from, to));
                }
            }
            assertEquals(expected, output.hits(), () -> Arrays.toString(regexes) + " in " + text(bytes));
        }
    }

    @Test
    void windowHitsAreThoseOfThePatternAlone() {
        var patterns = new RandomPatterns(2);
        for (int round = 0; round < ROUNDS; round++) {
            String[] regexes = usable(patterns);
            byte[] bytes = patterns.output(60);
            var output = WatchedOutput.windows(regexes)
                    .feedInPieces(bytes, patterns.random())
                    .end();
            List<WatchHit> expected = new ArrayList<>();
            for (int i = 0; i < regexes.length; i++) {
                Pattern pattern = Pattern.compile(regexes[i], Pattern.MULTILINE);
                expected.addAll(plainHits(i, pattern, bytes, 0, bytes.length));
            }
            assertEquals(expected, output.hits(), () -> Arrays.toString(regexes) + " in " + text(bytes));
        }
    }

    @Test
    void hitsDoNotDependOnThePieces() {
        for (int round = 0; round < 30; round++) {
            var patterns = new RandomPatterns(1000 + round);
            String[] regexes = usable(patterns);
            byte[] bytes = patterns.output(40_000);
            if (round % 2 == 0) {
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = bytes[i] == '\n' || bytes[i] == '\r' ? (byte) 'x' : bytes[i];
                }
            }
            var flushes = new TreeSet<Integer>();
            for (int i = 0; i < 5; i++) {
                flushes.add(patterns.random().nextInt(bytes.length));
            }
            var plan = plan(regexes);
            List<WatchHit> whole = flushedAt(flushes, bytes, plan, new RandomPatterns(0), true);
            List<WatchHit> pieces = flushedAt(flushes, bytes, plan, patterns, false);
            assertEquals(whole, pieces, () -> Arrays.toString(regexes));
            assertEquals(
                    whole.size(),
                    whole.stream()
                            .map(hit -> List.of(hit.watcher(), hit.offset()))
                            .distinct()
                            .count());
        }
    }

    /** Half of the watchers see lines, the others windows. */
    private static WatchPlan plan(String[] regexes) {
        List<WatchSpec> specs = new ArrayList<>();
        for (String regex : regexes) {
            WatchScope scope = specs.size() % 2 == 0 ? WatchScope.LINE : WatchScope.WINDOW;
            specs.add(new WatchSpec(regex, "e", Set.of(Channel.PTY), false, scope));
        }
        return WatchPlan.of(specs);
    }

    private static List<WatchHit> flushedAt(
            TreeSet<Integer> flushes, byte[] bytes, WatchPlan plan, RandomPatterns patterns, boolean whole) {
        var output = new WatchedOutput(new OutputWatcher(plan), Channel.PTY);
        int from = 0;
        for (int flush : flushes) {
            byte[] part = Arrays.copyOfRange(bytes, from, flush);
            (whole ? output.feed(part) : output.feedInPieces(part, patterns.random())).flush();
            from = flush;
        }
        byte[] part = Arrays.copyOfRange(bytes, from, bytes.length);
        return (whole ? output.feed(part) : output.feedInPieces(part, patterns.random()))
                .end()
                .hits();
    }

    @Test
    void outlineKnowsWhichPatternsAreEmpty() {
        var patterns = new RandomPatterns(3);
        for (int round = 0; round < 2_000; round++) {
            String regex = patterns.pattern();
            Outline outline = new OutlineParser(regex).parse();
            Pattern compiled = Pattern.compile(regex);
            assertTrue(outline.steps() + 3 >= compiled.programSize(), () -> regex + " " + compiled.programSize());
            if (!outline.empty()) {
                Matcher matcher = compiled.matcher(text(patterns.output(20)));
                while (matcher.find()) {
                    assertTrue(matcher.end() > matcher.start(), regex);
                }
            }
        }
    }

    @Test
    void parserReadsAnyText() {
        var random = new RandomPatterns(4).random();
        String signs = "a\\()[]{}^$.|*+?:-<>Pix0129,QEpbé";
        for (int round = 0; round < 200_000; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(20); i > 0; i--) {
                text.append(signs.charAt(random.nextInt(signs.length())));
            }
            new ByteProgram(List.of(new OutlineParser(text.toString()).parse()), true);
        }
    }

    /** Some patterns that are not refused. */
    private static String[] usable(RandomPatterns patterns) {
        var usable = new ArrayList<String>();
        for (int i = patterns.random().nextInt(4); i >= 0; ) {
            String regex = patterns.pattern();
            Outline outline = new OutlineParser(regex).parse();
            boolean small =
                    regex.length() <= Limits.WATCH_PATTERN_CHARS && outline.steps() <= Limits.WATCH_PATTERN_STEPS;
            if (small && !outline.empty()) {
                usable.add(regex);
                i--;
            }
        }
        return usable.toArray(String[]::new);
    }

    private static int lineEnd(byte[] bytes, int from) {
        int to = from;
        while (to < bytes.length && bytes[to] != '\n' && bytes[to] != '\r') {
            to++;
        }
        return to;
    }

    private static List<WatchHit> plainHits(int watcher, Pattern pattern, byte[] bytes, int from, int to) {
        var hits = new ArrayList<WatchHit>();
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        int[] places = placesOf(text, bytes, from, to);
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            int start = places[matcher.start()];
            hits.add(new WatchHit(watcher, Channel.PTY, start, places[matcher.end()] - start, matcher.group()));
        }
        return hits;
    }

    /** Where each character begins: the shortest start of the bytes that has one character more. Slow and plain. */
    private static int[] placesOf(String text, byte[] bytes, int from, int to) {
        var places = new int[text.length() + 1];
        int at = from;
        for (int i = 0; i < text.length(); ) {
            places[i] = at;
            int chars = Character.charCount(text.codePointAt(i));
            if (chars == 2) {
                places[i + 1] = at;
            }
            i += chars;
            int end = at + 1;
            while (end < to && !new String(bytes, end, to - end, StandardCharsets.UTF_8).equals(text.substring(i))) {
                end++;
            }
            at = end;
        }
        places[text.length()] = to;
        return places;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
