package io.penstock.engine.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.WatchScope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The matches of watchers in lines and windows, each reported once. */
class OutputWatcherTest {

    @Test
    void matchSplitOverTwoPiecesIsOneHit() {
        var output =
                WatchedOutput.lines("BUILD FAILED").feed("step 1\nBUILD FA").feed("ILED in 3 s\n");
        assertEquals(List.of("7+12 BUILD FAILED"), output.found());
    }

    @Test
    void matchSplitInsideACharacterIsOneHit() {
        byte[] bytes = "größe: 漢字 fertig\n".getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= bytes.length; cut++) {
            var output = WatchedOutput.lines("ö.e: 漢. f")
                    .feed(Arrays.copyOf(bytes, cut))
                    .feed(Arrays.copyOfRange(bytes, cut, bytes.length));
            assertEquals(List.of("2+15 öße: 漢字 f"), output.found());
        }
    }

    @Test
    void hitComesWithTheLineEnd() {
        var output = WatchedOutput.lines("done").feed("done");
        assertEquals(List.of(), output.found());
        assertEquals(List.of("0+4 done"), output.feed("\n").found());
        assertEquals(List.of("0+4 done"), output.flush().end().found());
    }

    @Test
    void promptWithoutALineEndIsFoundAtAFlush() {
        var output =
                WatchedOutput.lines("(?i)password: $").feed("hello\nPassword: ").flush();
        assertEquals(List.of("6+10 Password: "), output.found());
        assertEquals(1, output.feed("\nwelcome\n").end().hits().size());
    }

    @Test
    void matchThatGrowsAfterAFlushIsReportedOnce() {
        var output = WatchedOutput.lines("\\.+").feed("..").flush();
        for (int i = 0; i < 10; i++) {
            output.feed("..").flush();
        }
        assertEquals(List.of("0+2 .."), output.feed(" ...\n").found().subList(0, 1));
        assertEquals(List.of("..", "..."), output.texts());
    }

    @Test
    void flushInsideACharacterLeavesItForLater() {
        byte[] bytes = "naïve\n".getBytes(StandardCharsets.UTF_8);
        var output =
                WatchedOutput.lines("na.", "na$").feed(Arrays.copyOf(bytes, 3)).flush();
        assertEquals(List.of("0+2 na"), output.found());
        output.feed(Arrays.copyOfRange(bytes, 3, bytes.length));
        assertEquals(List.of("0+4 naï", "0+2 na"), output.found());
    }

    @Test
    void lastLineNeedsNoEnd() {
        assertEquals(
                List.of("2+3 end"),
                WatchedOutput.lines("end$").feed("a\nend").end().found());
    }

    @Test
    void lineEndsAreNotPartOfALine() {
        var output = WatchedOutput.lines("^\\w+$", "a\\sb").feed("one\r\ntwo\nthree\rfour\r\r\na\nb\n");
        assertEquals(List.of("0+3 one", "5+3 two", "9+5 three", "15+4 four", "22+1 a", "24+1 b"), output.found());
    }

    @Test
    void everyMatchOfALineIsAHit() {
        var output = WatchedOutput.lines("a.", "b").feed("ab ac b\n");
        assertEquals(List.of("0+2 ab", "3+2 ac", "1+1 b", "6+1 b"), output.found());
    }

    @Test
    void windowMatchesOverLineEnds() {
        var output = WatchedOutput.windows("error:\\n  (.*)", "^  at .*$");
        output.feed("x\nerror:\n").feed("  disk full\n  at main\nok\n").end();
        assertEquals(List.of("2+18 error:\n  disk full", "21+9   at main"), output.found());
    }

    @Test
    void onceIsOneHitOnAllChannels() {
        var spec = new WatchSpec("x", "e", Set.of(Channel.STDOUT, Channel.STDERR), true, WatchScope.LINE);
        var watcher = new OutputWatcher(WatchPlan.of(List.of(spec)));
        byte[] bytes = "xx\nx\n".getBytes(StandardCharsets.UTF_8);
        assertFalse(watcher.finished());
        var hits = new ArrayList<WatchHit>();
        for (Channel channel : List.of(Channel.STDERR, Channel.STDOUT, Channel.STDERR)) {
            hits.addAll(watcher.feed(channel, 0, bytes, 0, bytes.length));
        }
        assertEquals(List.of(new WatchHit(0, Channel.STDERR, 0, 1, "x")), hits);
        assertTrue(watcher.finished());
    }

    @Test
    void onceDoesNotEndOtherWatchers() {
        var once = new WatchSpec("x", "e", Set.of(Channel.PTY), true, WatchScope.LINE);
        var watcher = new OutputWatcher(WatchPlan.of(List.of(once, new WatchSpec("y", "e"))));
        var output = new WatchedOutput(watcher, Channel.PTY).feed("xy\nxy\n");
        assertEquals(List.of("0+1 x", "1+1 y", "4+1 y"), output.found());
        watcher.finish(1);
        assertEquals(3, output.feed("xy\n").hits().size());
    }

    @Test
    void watcherSeesItsChannelsOnly() {
        var spec = new WatchSpec("x", "e", Set.of(Channel.STDERR), false, WatchScope.LINE);
        var watcher = new OutputWatcher(WatchPlan.of(List.of(spec)));
        assertEquals(
                List.of(),
                new WatchedOutput(watcher, Channel.STDOUT).feed("x\n").found());
        assertEquals(
                List.of("0+1 x"),
                new WatchedOutput(watcher, Channel.STDERR).feed("x\n").found());
    }

    @Test
    void matchDoesNotJoinTwoChannels() {
        var watcher = new OutputWatcher(WatchPlan.of(List.of(new WatchSpec("ab", "e"))));
        byte[] a = {'a'};
        byte[] b = {'b', '\n'};
        assertEquals(List.of(), watcher.feed(Channel.STDOUT, 0, a, 0, 1));
        assertEquals(List.of(), watcher.feed(Channel.STDERR, 0, b, 0, 2));
    }

    @Test
    void invalidBytesAreReplacementCharacters() {
        byte[] bytes = {'a', (byte) 0xE9, ' ', 'e', 'r', 'r', (byte) 0xF0, (byte) 0x9F, (byte) 0x98, '!', '\n'};
        var output = WatchedOutput.lines("a. err.!", "\ufffd e").feed(bytes);
        assertEquals(List.of("0+10 a\ufffd err\ufffd!", "1+3 \ufffd e"), output.found());
    }

    @Test
    void binaryOutputIsSearchedToo() {
        var bytes = new byte[256 * 64];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 7 + (i >> 8));
        }
        System.arraycopy("PANIC".getBytes(StandardCharsets.UTF_8), 0, bytes, 9000, 5);
        var output = WatchedOutput.windows("PANIC", ".PANIC.").feed(bytes).end();
        assertEquals(
                List.of(9000L, 8999L),
                output.hits().stream().map(WatchHit::offset).toList());
    }

    @Test
    void veryLongLineIsSearchedToItsEnd() {
        String filler = "x".repeat(1000);
        var output = WatchedOutput.lines("needle\\d+", "^x", "x$", "n[^ ]*9");
        var expected = new ArrayList<String>();
        long offset = 0;
        for (int i = 0; i < 300; i++) {
            output.feed(filler + "needle" + i + " ");
            expected.add(offset + 1000 + "+" + ("needle" + i).length() + " needle" + i);
            offset += 1000 + ("needle" + i).length() + 1;
        }
        output.feed("x\n");
        assertEquals(expected, output.found().subList(0, 300));
        assertEquals(List.of("0+1 x", offset + "+1 x"), output.found().subList(300, 302), "start and end, once each");
    }

    @Test
    void longestPromisedMatchIsFoundAnywhere() {
        int inner = Limits.WATCH_WINDOW_BYTES - 2;
        String match = "<" + "y".repeat(inner) + ">";
        for (int before : List.of(0, 10_000, 61_439, 61_440, 61_441, 65_535, 65_536, 200_000)) {
            String text = "z".repeat(before) + match + "z".repeat(100_000);
            var expected = List.of(before);
            var offsets = WatchedOutput.lines("<y+>").feed(text).end().hits().stream()
                    .map(hit -> (int) hit.offset())
                    .toList();
            assertEquals(expected, offsets);
            var hits = WatchedOutput.windows("<y+>").feed(text).end().hits();
            assertEquals(1, hits.size());
            assertEquals(before, hits.getFirst().offset());
            assertEquals(match.length(), hits.getFirst().bytes());
            assertEquals(Limits.WATCH_TEXT_CHARS, hits.getFirst().text().length());
        }
    }

    @Test
    void matchLongerThanAnyWindowIsOneHit() {
        var output = WatchedOutput.lines("a+").feed("a".repeat(1_000_000)).feed("b\n");
        assertEquals(List.of(0L), output.hits().stream().map(WatchHit::offset).toList());
    }

    @Test
    void sixteenWatchersHitIndependently() {
        String[] patterns =
                IntStream.range(0, 16).mapToObj(i -> "item-" + i + "\\b").toArray(String[]::new);
        var output = WatchedOutput.lines(patterns);
        for (int i = 15; i >= 0; i--) {
            output.feed("this is item-" + i + ".\n");
        }
        assertEquals(
                IntStream.range(0, 16).boxed().toList(),
                output.hits().stream().map(WatchHit::watcher).toList());
    }

    @Test
    void textDoesNotContinueOverMissingBytes() {
        var output = WatchedOutput.lines("ab", "^b", "a$").feed("xa").skip(10).feed("bc\n");
        assertEquals(List.of("12+1 b", "1+1 a"), output.found());
    }

    @Test
    void tenThousandMatchesAreTenThousandHits() {
        var text = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            text.append("GET /item/").append(i).append(" 200\n");
        }
        var output = WatchedOutput.lines("/item/\\d+", "nothing").feed(text.toString());
        assertEquals(10_000, output.texts().stream().distinct().count());
        assertEquals(10_000, output.hits().size());
    }

    @Test
    void continuedWatcherFindsTheRest() {
        String text = "one hit\ntwo hits hit\n" + "-".repeat(70_000) + "hit - a hit\n^hit\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var whole = WatchedOutput.lines("hit", "^.").feed(bytes).end().hits();
        var plan = WatchPlan.of(List.of(new WatchSpec("hit", "e"), new WatchSpec("^.", "e")));
        for (int cut : List.of(0, 3, 7, 8, 14, 20, 65_000, 66_000, 70_023, 70_030, bytes.length)) {
            var first = new WatchedOutput(new OutputWatcher(plan), Channel.PTY).feed(Arrays.copyOf(bytes, cut));
            var second = new OutputWatcher(plan);
            for (int watcher = 0; watcher < 2; watcher++) {
                second.skipBefore(Channel.PTY, watcher, first.watcher.reportedUpTo(Channel.PTY, watcher));
            }
            WatchPoint point = first.watcher.point(Channel.PTY);
            second.startAt(Channel.PTY, point);
            var hits = new ArrayList<>(first.hits());
            hits.addAll(second.feed(Channel.PTY, point.offset(), bytes, (int) point.offset(), bytes.length));
            hits.addAll(second.end(Channel.PTY));
            assertEquals(Set.copyOf(whole), Set.copyOf(hits), () -> "cut at " + cut);
            assertEquals(whole.size(), hits.size());
        }
    }

    @Test
    void addedWatcherSkipsWhatCameBefore() {
        var output = WatchedOutput.lines("hit");
        output.watcher.skipBefore(Channel.PTY, 0, 5);
        assertEquals(List.of("8+3 hit"), output.feed("hit hit hit\n").found());
    }
}
