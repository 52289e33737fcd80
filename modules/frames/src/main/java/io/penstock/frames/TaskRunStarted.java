package io.penstock.frames;

import java.util.Locale;

/** An ended task is tried again: a new run begins, queued, and the outcome of the one before stays what it was. */
public record TaskRunStarted(int run, Kind kind, Actor actor) implements TaskFrame {

    /** Why there is another run. */
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
