package io.penstock.engine.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The watchers that are refused, and the sentences of the refusals. */
class WatchPlanTest {

    private static String refusal(WatchSpec... specs) {
        Failure failure = assertThrows(Failure.class, () -> WatchPlan.of(List.of(specs)));
        assertEquals(FailureCode.INVALID_REQUEST, failure.code());
        return String.valueOf(failure.getMessage());
    }

    private static String refusalOf(String regex) {
        return refusal(new WatchSpec("ok", "e"), new WatchSpec(regex, "e"));
    }

    @Test
    void brokenPatternIsRefusedWithIndexAndReason() {
        assertEquals("watch[1].regex: missing closing ): `(foo`", refusalOf("(foo"));
        assertEquals("watch[1].regex: invalid nested repetition operator: `**`", refusalOf("a**"));
        assertEquals("watch[1].regex: missing closing ]: `[a`", refusalOf("x[a"));
        assertEquals("watch[1].regex: invalid escape sequence: `\\1`", refusalOf("(a)\\1"));
        assertTrue(refusalOf("a\\").startsWith("watch[1].regex: trailing backslash"));
    }

    @Test
    void longPatternIsRefused() {
        assertEquals(
                "watch[1].regex: at most 256 characters, this one has 257",
                refusalOf("a".repeat(Limits.WATCH_PATTERN_CHARS + 1)));
        assertEquals(
                1,
                WatchPlan.of(List.of(new WatchSpec("a".repeat(256), "e")))
                        .specs()
                        .size());
    }

    @Test
    void oneWatcherTooManyIsRefused() {
        var specs = Collections.nCopies(Limits.WATCHERS + 1, new WatchSpec("a", "e"));
        assertEquals("watch[16]: a task has at most 16 watchers, not 17", refusal(specs.toArray(WatchSpec[]::new)));
        assertEquals(16, WatchPlan.of(specs.subList(0, 16)).specs().size());
    }

    /** The compiler would expand them to thousands of millions of instructions. */
    @Test
    void nestedRepetitionsAreRefusedUnexpanded() {
        for (String bomb : List.of("((a{1000}){1000}){1000}", "((((a{99}){99}){99}){99}){99}", "(x{40}y){40}")) {
            assertEquals(
                    "watch[1].regex: its repetitions expand to more than 600 steps: `" + bomb + "`", refusalOf(bomb));
        }
    }

    @Test
    void patternsThatAreTooLargeTogetherAreRefused() {
        var specs = Collections.nCopies(9, new WatchSpec("x{550}", "e"));
        assertEquals(
                "watch[8].regex: the patterns up to here expand to more than 4500 steps",
                refusal(specs.toArray(WatchSpec[]::new)));
        assertEquals(8, WatchPlan.of(specs.subList(0, 8)).specs().size());
        var longest = Collections.nCopies(Limits.WATCHERS, new WatchSpec("x".repeat(256), "e"));
        assertEquals(Limits.WATCHERS, WatchPlan.of(longest).specs().size());
        assertEquals(
                1,
                WatchPlan.of(List.of(new WatchSpec("a|".repeat(127) + "bc", "e")))
                        .specs()
                        .size());
    }

    @Test
    void patternThatMatchesNothingIsRefused() {
        for (String empty : List.of("", "a*", "x?", "^", "$", "^$", "\\b", "(a|)", "a{0}", "(?i)", "(a*)+", "a{0,3}")) {
            assertTrue(refusalOf(empty).contains("it matches without any character"), empty);
        }
    }

    @Test
    void eventIsANameOfSomeCharacters() {
        assertEquals("watch[0].event: it is empty", refusal(new WatchSpec("a", " ")));
        assertEquals(
                "watch[0].event: at most 64 characters, this one has 65", refusal(new WatchSpec("a", "e".repeat(65))));
        assertEquals("watch[0].event: it contains a control character", refusal(new WatchSpec("a", "e\n")));
    }

    @Test
    void watcherOfNoChannelIsRefused() {
        assertEquals(
                "watch[0].channels: no channel is named",
                refusal(new WatchSpec("a", "e", Set.<Channel>of(), false, WatchScope.LINE)));
    }

    /** The compiler would search for the other case of these letters for ever. */
    @Test
    void caseThatCannotBeIgnoredIsRefused() {
        var endless =
                List.of("(?i)\\x{1c80}", "(?i)[\u00e9-\u6f22]", "a(?i:\u1c88)", "(?i)\\Q\u1c84\\E", "(?i)[^\u1c81]");
        for (String regex : endless) {
            assertTrue(refusalOf(regex).contains("its case cannot be ignored"), regex);
        }
        var fine = List.of("\u1c80", "(?i)[\u0430-\u044f]", "(?i:a)[\u00e9-\u6f22]", "(?i)[^a]", "(?i)\\p{Cyrillic}");
        for (String regex : fine) {
            assertEquals(
                    1, WatchPlan.of(List.of(new WatchSpec(regex, "e"))).specs().size());
        }
    }
}
