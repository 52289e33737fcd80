package io.penstock.engine.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Searches cost a constant for each byte, whatever the pattern; counted in reads of characters, not in time. */
class WatchCostTest {

    private static final int MIB = 1024 * 1024;

    /** Patterns on which backtracking takes exponential time. */
    private static final List<String> CATASTROPHIC = List.of(
            "(a+)+$",
            "(a|aa)+$",
            "x*x*x*x*x*x*x*x*x*x*x*x*b",
            "(.*)*c",
            "^(([a-z])+.)+[A-Z]([a-z])+$",
            "(a?){30}a{30}b");

    private static double readsPerCharacter(String pattern, String text) {
        var watch = WatchPlan.of(List.of(new WatchSpec(pattern, "e"))).watches().getFirst();
        var progress = new WatchProgress(WatchPlan.of(List.of(watch.spec())));
        var search = new PatternSearch(watch, progress, Channel.PTY);
        SearchedText searched = SearchedText.of(text.getBytes(StandardCharsets.UTF_8), 0, text.length());
        search.search(searched, 0, 0, Long.MAX_VALUE, new ArrayList<>());
        return (double) searched.reads() / text.length();
    }

    @Test
    void catastrophicPatternsReadEachCharacterAFewTimes() {
        for (String pattern : CATASTROPHIC) {
            for (int length : List.of(1_000, 8_000, 64_000)) {
                double reads = readsPerCharacter(pattern, "a".repeat(length) + "!");
                assertTrue(reads < 8, () -> pattern + " reads each of " + length + " characters " + reads + " times");
            }
        }
    }

    /** Each match is short, but only the end of the text shows that no longer one is preferred. */
    @Test
    void quadraticSearchEndsAndIsCounted() {
        String pattern = "a[^b]*b|a";
        for (int length : List.of(1_000, 8_000, 64_000)) {
            double reads = readsPerCharacter(pattern, "a".repeat(length));
            assertTrue(reads < 40, () -> length + " characters are read " + reads + " times");
        }
        var output = WatchedOutput.lines(pattern).feed("a".repeat(10_000) + "\n");
        long found = output.hits().size();
        assertTrue(found > 1);
        assertEquals(10_000, found + output.watcher.unsearchedBytes(0));
    }

    @Test
    void aMebibyteOfTheWorstIsSearched() {
        var output = WatchedOutput.lines(CATASTROPHIC.toArray(String[]::new));
        output.feed("a".repeat(MIB)).feed("!\n").feed("aaa\n");
        assertEquals(2, output.texts().stream().filter("aaa"::equals).count());
    }

    /** The states of such patterns are as many as there are texts of 20 characters, so the table is never done. */
    @Test
    void patternWithoutRepeatingStatesIsLeftOut() {
        String[] explosive = {"[ab]*a" + "[ab]".repeat(20) + "c", "needle"};
        var random = new Random(5);
        var text = new StringBuilder();
        for (int i = 0; i < MIB / 4; i++) {
            text.append(i % 200 == 0 ? "\n" : random.nextBoolean() ? "a" : "b");
        }
        var output = WatchedOutput.lines(explosive).feed(text.toString()).feed("\nneedle\n" + "a".repeat(30) + "c\n");
        assertEquals(List.of("a".repeat(30) + "c", "needle"), output.texts());
    }

    @Test
    void tableStaysWithinItsLimit() {
        var outline = new OutlineParser("[ab]*a" + "[ab]".repeat(20) + "c").parse();
        var prefilter = new Prefilter(List.of(outline), 1, true);
        var random = new Random(6);
        var bytes = new byte[100_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextBoolean() ? 'a' : 'b');
        }
        assertEquals(bytes.length, prefilter.scan(bytes, 0, bytes.length));
        assertEquals(1, prefilter.candidates(), "left out, so it may match");
        assertTrue(prefilter.entries() <= Limits.WATCH_TABLE_ENTRIES);
    }

    @Test
    void textWithoutCandidatesIsNotSearched() {
        var outlines = List.of(new OutlineParser("ERROR: .*").parse(), new OutlineParser("^\\d+ errors?$").parse());
        var prefilter = new Prefilter(outlines, 3, true);
        byte[] plain = "info: 12 errors found\nERROR\n12 errorss\n".getBytes(StandardCharsets.UTF_8);
        assertEquals(plain.length, prefilter.scan(plain, 0, plain.length));
        assertEquals(0, prefilter.candidates());
        byte[] line = "1 error\n".getBytes(StandardCharsets.UTF_8);
        assertEquals(7, prefilter.scan(line, 0, line.length));
        assertEquals(2, prefilter.candidates());
    }
}
