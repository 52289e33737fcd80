package io.penstock.engine.bus;

import io.penstock.frames.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Requests items of a session's mailbox.
 *
 * @param fromSeq the frame from which items are read; null for the first that is not acknowledged
 * @param limit the maximum number of items
 */
public record ReadMailbox(String sessionId, @Nullable Long fromSeq, int limit) {

    public ReadMailbox {
        if (fromSeq != null && fromSeq < 0) {
            throw new IllegalArgumentException("fromSeq must be 0 or more, not " + fromSeq);
        }
        if (limit < 1 || limit > Limits.PAGE_TASKS) {
            throw new IllegalArgumentException("limit must be from 1 to " + Limits.PAGE_TASKS + ", not " + limit);
        }
    }
}
