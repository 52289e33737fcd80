package io.penstock.engine.view;

import io.penstock.frames.ToolTaskSpawned;
import org.jspecify.annotations.Nullable;

/** How much of a task's output a subscriber is sent as text in its frames. */
public enum InlineText {
    /** The first {@code max_bytes} of each channel, as the task's arguments say. */
    PREVIEW,
    /** All stored output. */
    FULL,
    /** None, for subscribers that read the artifact. */
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
