package io.penstock.engine.bus;

import io.penstock.frames.Actor;

/** Acknowledges the items of a session's mailbox up to and including the frame {@code throughSeq}. */
public record AcknowledgeMailbox(String sessionId, long throughSeq, Actor actor) {

    public AcknowledgeMailbox {
        if (throughSeq < 0) {
            throw new IllegalArgumentException("throughSeq must be 0 or more, not " + throughSeq);
        }
    }
}
