package io.penstock.frames;

import java.util.Locale;

/** An ended task is retried: a new run is queued, and the outcome of the previous run does not change. */
public record TaskRunStarted(int run, Kind kind, Actor actor) implements TaskFrame {

    /** The reason for another run. */
    public enum Kind {
        RESUME,
        RECOVER,
        REQUEUE;

        private final String wireName = name().toLowerCase(Locale.ROOT);

        public String wireName() {
            return wireName;
        }
    }

    public TaskRunStarted {
        if (run < 2) {
            throw new IllegalArgumentException(
                    "The first run begins with the spawn; another is number 2 or more, not " + run);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_RUN_STARTED;
    }
}
