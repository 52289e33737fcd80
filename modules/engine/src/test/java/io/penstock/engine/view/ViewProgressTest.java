package io.penstock.engine.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Feeds a viewer's state machine with frames and answers, and reads its steps. */
class ViewProgressTest {

    private static final CatchUpLimits SCREENS = new CatchUpLimits(true, 30, 10, Duration.ofSeconds(10), 4);
    private static final CatchUpLimits FRAMES = new CatchUpLimits(false, 30, 10, Duration.ofSeconds(10), 4);

    private ViewedTask task = ViewedTask.terminal("");
    private long existing;
    private long nanos;

    /** A viewer of all frames of a task, of which this many exist. */
    private ViewProgress viewer(ViewedTask of, int exist, CatchUpLimits limits) {
        task = of;
        existing = exist;
        var gauge = new LagGauge(limits, () -> task.written(existing), () -> nanos);
        return new ViewProgress(
                new FollowRange("viewed", task.state(existing), 0, true),
                new BatchLimits(4, 1000),
                ViewProgressTest::bytes,
                gauge);
    }

    private static int bytes(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta delta ? delta.bytes() : 0;
    }

    /** The viewer's steps until it waits, as text; it reads what exists. */
    private String steps(ViewProgress progress) {
        var steps = new ArrayList<String>();
        while (true) {
            ViewStep step = progress.next(true);
            switch (step) {
                case ViewStep.ReadFrames _ -> {
                    if (progress.readTo() == existing) {
                        return String.join(" ", steps);
                    }
                    read(progress);
                }
                case ViewStep.Wait _ -> {
                    return String.join(" ", steps);
                }
                case ViewStep.Send(List<Frame> batch) -> {
                    batch.forEach(frame -> steps.add("" + frame.seq()));
                    if (!batch.isEmpty()) {
                        progress.sent(batch.getLast().seq() + 1);
                    }
                }
                case ViewStep.RequestState _ -> steps.add("state?");
                case ViewStep.RequestScreen _ -> steps.add("screen?");
                case ViewStep.ReportLag(long from, long to) -> steps.add("lag " + from + "-" + to);
                case ViewStep.SkipTo(long from, RenderedScreen screen) -> {
                    steps.add("skip " + from + "-" + screen.seq());
                    progress.skipReading(task.nonOutputFrames(progress.nextSeq(), screen.seq()), screen.seq());
                }
                case ViewStep.SendScreen(RenderedScreen screen) -> steps.add("screen-" + screen.seq());
                case ViewStep.End _ -> steps.add("end");
                case ViewStep.Close _ -> {
                    steps.add("close");
                    return String.join(" ", steps);
                }
            }
        }
    }

    private void read(ViewProgress progress) {
        while (progress.readTo() < existing && !progress.isFull()) {
            progress.read(task.frame(progress.readTo()));
        }
    }

    @Test
    void sendsHistoryThenNewFramesThenTheEnd() {
        ViewProgress progress = viewer(ViewedTask.terminal("onoo"), 4, FRAMES);
        assertEquals("0 1 2 3", steps(progress));
        existing = 6;
        assertEquals("4 5", steps(progress));
        existing = task.size();
        assertEquals("6 end", steps(progress));
        assertEquals("", steps(progress));
    }

    @Test
    void endIsReachedWithoutRoom() {
        ViewProgress progress = viewer(ViewedTask.terminal(""), 3, FRAMES);
        read(progress);
        assertEquals(3, ((ViewStep.Send) progress.next(true)).batch().size());
        assertEquals(ViewStep.END, progress.next(false));
    }

    @Test
    void closedLogClosesAfterTheFramesThatWereRead() {
        ViewProgress progress = viewer(ViewedTask.terminal("oo"), 3, FRAMES);
        read(progress);
        progress.logClosed();
        assertEquals(ViewStep.WAIT, progress.next(false));
        assertEquals("0 1 2 close", steps(progress));
    }

    @Test
    void laggingViewerGetsOtherFramesThenTheScreen() {
        ViewProgress progress = viewer(ViewedTask.terminal("onooonooo"), 4, SCREENS);
        assertEquals("0 1 2 3", steps(progress));
        existing = 10;
        assertEquals("screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(8));
        assertEquals("skip 4-8 7 screen-8 9", steps(progress));
    }

    @Test
    void viewerThatWantsFramesGetsAllOfThem() {
        ViewProgress progress = viewer(ViewedTask.terminal("onooonooo"), 4, FRAMES);
        steps(progress);
        existing = task.size();
        assertEquals("4 5 6 7 8 9 10 11 end", steps(progress));
    }

    @Test
    void lessLagIsAllowedSoonAfterACatchUp() {
        ViewProgress progress = viewer(ViewedTask.terminal("oooooooooo"), 2, SCREENS);
        steps(progress);
        existing = 7;
        assertEquals("screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(6));
        assertEquals("skip 2-6 screen-6", steps(progress));
        existing = 9;
        assertEquals("screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(8));
        assertEquals("skip 7-8 screen-8", steps(progress));
        nanos += SCREENS.again().toNanos();
        existing = 11;
        assertEquals("9 10", steps(progress));
    }

    @Test
    void laggingViewerGetsFramesIfNoScreenCanBeDrawn() {
        ViewProgress progress = viewer(ViewedTask.terminal("oooooo"), 2, SCREENS);
        steps(progress);
        existing = 7;
        assertEquals("screen?", steps(progress));
        assertTrue(progress.screenFailed());
        assertEquals("state?", steps(progress));
        progress.stateKnown(null);
        assertEquals("2 3 4 5 6", steps(progress));
    }

    @Test
    void viewerIsNotifiedOnceOfItsLagBeforeMoreFrames() {
        ViewProgress progress = viewer(ViewedTask.terminal("oooooo"), 2, FRAMES);
        steps(progress);
        existing = 8;
        read(progress);
        assertEquals(ViewStep.WAIT, progress.next(false));
        assertEquals(ViewStep.REQUEST_STATE, progress.next(true));
        assertEquals(ViewStep.WAIT, progress.next(true));
        progress.stateKnown(task.state(existing));
        assertEquals("lag 2-8 2 3 4 5 6 7", steps(progress));
    }

    @Test
    void hiddenTerminalGetsNoOutputAndAScreenWhenShown() {
        ViewProgress progress = viewer(ViewedTask.terminal("onoono"), 3, FRAMES);
        assertEquals("0 1 2", steps(progress));
        progress.hide();
        progress.hide();
        existing = 6;
        assertEquals("3", steps(progress));
        progress.show();
        assertEquals("screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(5));
        assertEquals("skip 4-5 screen-5", steps(progress));
        progress.hide();
        progress.show();
        existing = 8;
        assertEquals("state?", steps(progress));
        progress.stateKnown(task.state(existing));
        assertEquals("6 7", steps(progress));
    }

    @Test
    void viewerWithSkippedOutputCannotContinueWithoutAScreen() {
        ViewProgress progress = viewer(ViewedTask.terminal("oo"), 4, FRAMES);
        progress.hide();
        assertEquals("0 1", steps(progress));
        progress.show();
        assertEquals("screen?", steps(progress));
        assertFalse(progress.screenFailed());
    }

    @Test
    void viewerHiddenDuringACatchUpGetsItsScreen() {
        ViewProgress progress = viewer(ViewedTask.terminal("oooooooo"), 2, SCREENS);
        steps(progress);
        existing = 8;
        assertEquals("screen?", steps(progress));
        progress.hide();
        progress.screenDrawn(ViewedTask.screen(6));
        assertEquals("skip 2-6 screen-6", steps(progress));
        progress.show();
        assertEquals("screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(7));
        assertEquals("skip 7-7 screen-7", steps(progress));
    }

    @Test
    void hiddenTerminalGetsTheLastScreenOnce() {
        ViewProgress progress = viewer(ViewedTask.terminal("oo"), 3, FRAMES);
        steps(progress);
        progress.hide();
        existing = task.size();
        assertEquals("4 screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(4));
        assertEquals(new ViewStep.SkipTo(3, ViewedTask.screen(4)), progress.next(false));
        assertEquals(new ViewStep.SendScreen(ViewedTask.screen(4)), progress.next(false));
        assertEquals(ViewStep.END, progress.next(false));
        assertEquals(ViewStep.WAIT, progress.next(true));
    }

    @Test
    void screenOfTheLastFrameIsSentOnce() {
        ViewProgress progress = viewer(ViewedTask.terminal("oooooo"), 2, SCREENS);
        steps(progress);
        existing = task.size();
        assertEquals("screen?", steps(progress));
        progress.screenDrawn(ViewedTask.screen(8));
        assertEquals("skip 2-8 8 screen-8 end", steps(progress));
        assertEquals("", steps(progress));
    }

    @Test
    void hiddenLogGetsNothingUntilItIsShown() {
        ViewProgress progress = viewer(ViewedTask.pipes("ono"), 3, FRAMES);
        assertEquals("0 1 2", steps(progress));
        progress.hide();
        existing = task.size();
        assertEquals("", steps(progress));
        progress.show();
        read(progress);
        assertEquals("state?", steps(progress));
        progress.stateKnown(task.state(existing));
        assertEquals("3 4 5 end", steps(progress));
    }

    @Test
    void viewerWithoutGaugeIsSentAllFrames() {
        ViewedTask flood = ViewedTask.terminal("oooooooooo");
        task = flood;
        existing = flood.size();
        var progress = new ViewProgress(
                new FollowRange("viewed", flood.state(2), 0, true), new BatchLimits(4, 1000), frame -> 10, null);
        read(progress);
        assertEquals(ViewStep.WAIT, progress.next(false));
        assertEquals("0 1 2 3 4 5 6 7 8 9 10 11 12 end", steps(progress));
    }
}
