package io.penstock.engine.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Viewers are always sent each frame once and in order, except output that a screen replaces. The end-to-end
 * twin of this law is {@code JumpLawTest} of the server.
 */
@Tag("SEAMLESS")
class CatchUpLawTest {

    private static final int SEEDS = 3_000;

    private int screens;
    private int lags;
    private int failures;

    @Test
    void eachFrameOrAScreenInItsPlaceIsSentOnce() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                new Run(new Random(seed)).run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("with seed " + seed, e);
            }
        }
        assertTrue(screens > SEEDS / 2, screens + " screens");
        assertTrue(lags > SEEDS / 10, lags + " notices");
        assertTrue(failures > SEEDS / 100, failures + " failures");
    }

    /** One viewer of a task, which accepts frames, answers and is viewed at random. */
    private final class Run {
        private final Random random;
        private final ViewedTask task;
        private final ViewProgress progress;
        private long existing;
        private long nanos;
        private boolean stateAsked;
        private boolean screenAsked;

        /** The viewer has been sent, or has skipped, all frames below. */
        private long at;

        /** Whether it has skipped output that no screen has replaced yet. */
        private boolean incomplete;

        private boolean over;

        Run(Random random) {
            this.random = random;
            var text = new StringBuilder();
            for (int i = random.nextInt(60); i >= 0; i--) {
                text.append(random.nextInt(4) == 0 ? 'n' : 'o');
            }
            boolean terminal = random.nextInt(5) > 0;
            task = terminal ? ViewedTask.terminal(text.toString()) : ViewedTask.pipes(text.toString());
            existing = 1L + random.nextInt(task.size());
            at = random.nextInt((int) existing + 1);
            var limits = new CatchUpLimits(
                    terminal && random.nextBoolean(),
                    1 + random.nextInt(200),
                    1 + random.nextInt(50),
                    Duration.ofNanos(random.nextInt(100)),
                    random.nextInt(10));
            var gauge = new LagGauge(limits, () -> random.nextInt(3) == 0 ? -1 : task.written(existing), () -> nanos);
            progress = new ViewProgress(
                    new FollowRange("viewed", task.state(existing), at, true),
                    new BatchLimits(1 + random.nextInt(8), 1 + random.nextInt(100)),
                    frame -> ViewedTask.DELTA_BYTES,
                    gauge);
        }

        void run() {
            for (int i = 0; i < 200 && !over; i++) {
                act();
            }
            while (!over) {
                existing = task.size();
                answer();
                if (random.nextInt(10) == 0) {
                    progress.show();
                }
                step(true);
            }
        }

        private void act() {
            nanos++;
            switch (random.nextInt(6)) {
                case 0 -> existing = Math.min(task.size(), existing + random.nextInt(12));
                case 1 -> progress.hide();
                case 2 -> progress.show();
                case 3 -> answer();
                default -> step(random.nextBoolean());
            }
        }

        private void answer() {
            if (stateAsked) {
                stateAsked = false;
                progress.stateKnown(random.nextInt(5) == 0 ? null : task.state(existing));
            } else if (screenAsked) {
                screenAsked = false;
                if (random.nextInt(20) > 0) {
                    progress.screenDrawn(ViewedTask.screen(existing - 1));
                } else {
                    boolean skipped = incomplete || progress.nextSeq() > at;
                    over = !progress.screenFailed();
                    assertEquals(skipped, over);
                    failures++;
                }
            }
        }

        private void step(boolean hasRoom) {
            if (over) {
                return;
            }
            switch (progress.next(hasRoom)) {
                case ViewStep.Wait _ -> {}
                case ViewStep.ReadFrames _ -> {
                    while (progress.readTo() < existing && !progress.isFull()) {
                        progress.read(task.frame(progress.readTo()));
                    }
                }
                case ViewStep.Send(List<Frame> batch) -> {
                    assertTrue(hasRoom);
                    batch.forEach(this::received);
                }
                case ViewStep.RequestState _ -> stateAsked = true;
                case ViewStep.RequestScreen _ -> screenAsked = true;
                case ViewStep.ReportLag(long from, long to) -> {
                    lags++;
                    assertEquals(at, from);
                    assertTrue(to <= existing);
                }
                case ViewStep.SkipTo(long from, RenderedScreen screen) -> {
                    assertTrue(from <= at);
                    if (random.nextBoolean()) {
                        progress.skipReading(task.nonOutputFrames(progress.nextSeq(), screen.seq()), screen.seq());
                    }
                }
                case ViewStep.SendScreen(RenderedScreen screen) -> {
                    screens++;
                    skipTo(screen.seq() + 1);
                    incomplete = false;
                }
                case ViewStep.End _ -> {
                    assertEquals(task.size(), at);
                    assertFalse(incomplete);
                    over = true;
                }
                case ViewStep.Close _ -> throw new AssertionError("the log is open");
            }
        }

        private void received(Frame frame) {
            skipTo(frame.seq());
            assertFalse(incomplete && task.isOutput(frame.seq()), "output after skipped output");
            at = frame.seq() + 1;
            progress.sent(at);
        }

        private void skipTo(long seq) {
            assertTrue(at <= seq, "frame " + seq + " after " + at);
            for (; at < seq; at++) {
                assertTrue(task.isOutput(at), "frame " + at + " was skipped");
                incomplete = true;
            }
        }
    }
}
