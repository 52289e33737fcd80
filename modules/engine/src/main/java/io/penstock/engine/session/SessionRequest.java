package io.penstock.engine.session;

import io.penstock.engine.address.Request;
import io.penstock.frames.Actor;
import io.penstock.frames.Frame;
import org.jspecify.annotations.Nullable;

/** What is sent to the address of a session's owner. */
sealed interface SessionRequest<A extends @Nullable Object> extends Request<SessionRequest<?>, A> {

    String sessionId();

    /** Records a fact about one of its tasks; answered when it is accepted. */
    record Record(String sessionId, SessionEvent event) implements SessionRequest<@Nullable Frame> {}

    /** Records the end of a task unless the session has it already; answered when it has it. */
    record RecordOnce(String sessionId, SessionEvent.TaskEnded end) implements SessionRequest<@Nullable Frame> {}

    /** Records a fact about its webhook; answered with the state after it. */
    record Webhook(String sessionId, WebhookEvent event) implements SessionRequest<SessionState> {}

    /** Starts the session if it is new or has ended; answered with its state. */
    record Use(String sessionId, Actor actor) implements SessionRequest<SessionState> {}

    /** Answered with its state. */
    record State(String sessionId) implements SessionRequest<SessionState> {}

    /** Acknowledges mailbox items; answered with the state after it. */
    record Acknowledge(String sessionId, long throughSeq, Actor actor) implements SessionRequest<SessionState> {}

    /** Ends the session; answered with the state after it. */
    record End(String sessionId, @Nullable String reason, Actor actor) implements SessionRequest<SessionState> {}
}
