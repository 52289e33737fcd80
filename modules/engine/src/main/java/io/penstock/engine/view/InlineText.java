package io.penstock.engine.view;

import io.penstock.frames.ToolTaskSpawned;
import org.jspecify.annotations.Nullable;

/** How much of a task's output a subscriber is sent as text in its frames. */
public enum InlineText {
    /** Of each channel as much as the task's {@code max_bytes} says. */
    PREVIEW,
    /** All that is stored. */
    FULL,
    /** None: for who reads the output itself. */
    NONE;

    /** The offset in each channel at which text ends. */
    public long limit(@Nullable ToolTaskSpawned spec) {
        return switch (this) {
            case PREVIEW -> spec == null || spec.maxBytes() == null ? Long.MAX_VALUE : spec.maxBytes();
            case FULL -> Long.MAX_VALUE;
            case NONE -> 0;
        };
    }
}
