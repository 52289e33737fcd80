package io.penstock.engine.session;

import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.SessionProgress;
import io.penstock.frames.SessionWebhookDelivery;
import io.penstock.frames.SessionWebhookSet;
import io.penstock.frames.WebhookProgress;
import org.jspecify.annotations.Nullable;

/** A fact about the webhook of a session, which is recorded in the session's stream. */
public sealed interface WebhookEvent {

    /** The caller who starts the session if this is its first use; null if the session must exist. */
    @Nullable
    Actor starts();

    /**
     * The frame that records it; null if nothing changes.
     *
     * @param before the session's progress so far
     * @param seq the frame's place
     */
    @Nullable
    SessionFrame frame(SessionProgress before, long seq);

    /**
     * The session has this webhook from now on.
     *
     * @param target scheme, host and port
     * @param rule the rule of policy that allows it
     */
    record Set(String target, String rule, Actor actor) implements WebhookEvent {

        @Override
        public Actor starts() {
            return actor;
        }

        @Override
        public SessionFrame frame(SessionProgress before, long seq) {
            return new SessionWebhookSet(target, rule, actor, before.with(WebhookProgress.started(before)));
        }
    }

    /** The session has no webhook from now on. */
    record Removed(Actor actor) implements WebhookEvent {

        @Override
        public @Nullable Actor starts() {
            return null;
        }

        @Override
        public @Nullable SessionFrame frame(SessionProgress before, long seq) {
            WebhookProgress webhook = before.webhook();
            return webhook == null || !webhook.set()
                    ? null
                    : new SessionWebhookSet(null, null, actor, before.with(webhook.removed()));
        }
    }

    /**
     * The webhook has dealt with an item.
     *
     * @param error why the receiver did not accept it, so that it is a dead letter; null if it was delivered
     */
    record Settled(
            long itemSeq,
            int attempts,
            @Nullable Integer status,
            @Nullable String error) implements WebhookEvent {

        @Override
        public Actor starts() {
            return Actor.SERVER;
        }

        @Override
        public SessionFrame frame(SessionProgress before, long seq) {
            WebhookProgress webhook = required(before);
            return new SessionWebhookDelivery(
                    itemSeq,
                    error == null ? SessionWebhookDelivery.Result.DELIVERED : SessionWebhookDelivery.Result.DEAD,
                    attempts,
                    status,
                    error,
                    Actor.SERVER,
                    before.with(error == null ? webhook.withDelivered(itemSeq) : webhook.withDead(itemSeq, seq)));
        }
    }

    /** A dead letter is to be sent again. */
    record Again(long itemSeq, Actor actor) implements WebhookEvent {

        @Override
        public @Nullable Actor starts() {
            return null;
        }

        @Override
        public SessionFrame frame(SessionProgress before, long seq) {
            return new SessionWebhookDelivery(
                    itemSeq, SessionWebhookDelivery.Result.AGAIN, 0, null, null, actor, before);
        }
    }

    private static WebhookProgress required(SessionProgress before) {
        WebhookProgress webhook = before.webhook();
        if (webhook == null) {
            throw new Failure(FailureCode.INVALID_REQUEST, "The session never had a webhook");
        }
        return webhook;
    }
}
