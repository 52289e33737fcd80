package io.penstock.server.tools.shell;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;

/**
 * The cap on the shown output of one run, stdout and stderr together. Which frame exceeds it follows from the frames
 * alone, so every reader sees the same items.
 *
 * @param bytes the cap
 * @param frame the output frame that exceeds it, or {@link #NONE}
 * @param shown how many bytes of that frame are below the cap
 */
record RunOutputCap(long bytes, long frame, long shown) {

    static final long NONE = Long.MAX_VALUE;

    /** Reads the run's frames up to the one that exceeds the cap; none if its output is below it. */
    static Future<RunOutputCap> find(TaskApi tasks, String runId, TaskState state, long bytes) {
        long total = state.output().stdoutTotal()
                + state.output().stderrTotal()
                + state.output().ptyTotal();
        if (total <= bytes) {
            return Future.succeededFuture(new RunOutputCap(bytes, NONE, 0));
        }
        var search = new Search(bytes);
        return AsyncLoop.of(() -> tasks.frames(runId, search.nextFrame, Limits.PAGE_FRAMES)
                        .map(page -> {
                            page.frames().forEach(search::add);
                            search.nextFrame = page.nextSeq();
                            return search.found == NONE && !page.frames().isEmpty();
                        }))
                .map(done -> new RunOutputCap(bytes, search.found, search.shown));
    }

    /** How many bytes of an output frame are shown. */
    long shownOf(Frame output, ToolTaskOutputDelta delta) {
        if (output.seq() == frame) {
            return shown;
        }
        return output.seq() < frame ? delta.bytes() : 0;
    }

    private static final class Search {
        private final long bytes;
        private long nextFrame;
        private long total;
        private long found = NONE;
        private long shown;

        Search(long bytes) {
            this.bytes = bytes;
        }

        void add(Frame frame) {
            if (found == NONE && frame.body() instanceof ToolTaskOutputDelta delta) {
                if (total + delta.bytes() > bytes) {
                    found = frame.seq();
                    shown = bytes - total;
                }
                total += delta.bytes();
            }
        }
    }
}
