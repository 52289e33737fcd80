package io.penstock.server.webhook;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionState;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.SessionWebhookDelivery;
import io.penstock.frames.WebhookProgress;
import io.vertx.core.Future;
import java.util.TreeMap;

/** The items of a session that could not be delivered, read from its frames. */
final class DeadLetters {

    /**
     * One of them.
     *
     * @param frame the frame that says why
     * @param again whether it is to be sent again
     */
    record Letter(Frame frame, SessionWebhookDelivery failure, boolean again) {}

    private final SessionApi sessions;
    private final String session;
    private final TreeMap<Long, Letter> letters = new TreeMap<>();
    private final long endSeq;
    private long seq;

    private DeadLetters(SessionApi sessions, SessionState state, long fromSeq) {
        this.sessions = sessions;
        this.session = state.sessionId();
        this.seq = fromSeq;
        this.endSeq = state.nextSeq();
    }

    /** The dead letters by the seq of their items. */
    static Future<TreeMap<Long, Letter>> read(SessionApi sessions, SessionState state) {
        WebhookProgress webhook = state.progress().webhook();
        if (webhook == null || webhook.deadLetters() == 0) {
            return Future.succeededFuture(new TreeMap<>());
        }
        var found = new DeadLetters(sessions, state, webhook.deadFromSeq());
        return AsyncLoop.of(found::page).map(done -> found.letters);
    }

    private Future<Boolean> page() {
        return sessions.frames(session, seq, Limits.PAGE_FRAMES).map(page -> {
            for (Frame frame : page.frames()) {
                if (frame.seq() < endSeq && frame.body() instanceof SessionWebhookDelivery delivery) {
                    add(frame, delivery);
                }
            }
            seq = page.nextSeq();
            return !page.frames().isEmpty() && seq < endSeq;
        });
    }

    private void add(Frame frame, SessionWebhookDelivery delivery) {
        switch (delivery.result()) {
            case DEAD -> letters.put(delivery.itemSeq(), new Letter(frame, delivery, false));
            case DELIVERED -> letters.remove(delivery.itemSeq());
            case AGAIN ->
                letters.computeIfPresent(
                        delivery.itemSeq(), (item, dead) -> new Letter(dead.frame(), dead.failure(), true));
        }
    }
}
