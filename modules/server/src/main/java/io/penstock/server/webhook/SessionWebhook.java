package io.penstock.server.webhook;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.Mailbox;
import io.penstock.engine.session.MailboxItem;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionState;
import io.penstock.engine.session.WebhookEvent;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.WebhookProgress;
import io.penstock.server.request.SessionJson;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the items of one session, one at a time and in order. An item is sent until the receiver accepts it or it becomes a dead
 * letter; either is a frame of the session, so a server that dies in between sends the item again. Lives on the webhooks' context.
 */
final class SessionWebhook {

    private static final Logger log = LoggerFactory.getLogger(SessionWebhook.class);

    private static final long NO_TIMER = -1;

    private final Vertx vertx;
    private final Context context;
    private final SessionApi sessions;
    private final TaskApi tasks;
    private final WebhookClient client;
    private final DeliverySlots slots;
    private final WebhookTimes times;
    private final WebhookFiles.Stored webhook;
    private final WebhookSecret secret;

    /** Dead letters that are sent again, before the next item. */
    private final ArrayDeque<Long> again = new ArrayDeque<>();

    private @Nullable FrameFollower follower;
    private @Nullable Frame next;
    private boolean asked;
    private boolean busy;
    private boolean stopped;
    private long timer = NO_TIMER;
    private Attempt.@Nullable Failed lastFailure;
    private int attempts;
    private @Nullable Long nextAttemptMs;

    SessionWebhook(
            Vertx vertx,
            Context context,
            SessionApi sessions,
            TaskApi tasks,
            WebhookClient client,
            DeliverySlots slots,
            WebhookTimes times,
            WebhookFiles.Stored webhook,
            WebhookSecret secret) {
        this.vertx = vertx;
        this.context = context;
        this.sessions = sessions;
        this.tasks = tasks;
        this.client = client;
        this.slots = slots;
        this.times = times;
        this.webhook = webhook;
        this.secret = secret;
    }

    WebhookFiles.Stored stored() {
        return webhook;
    }

    /** Why the last attempt failed; null once an item was accepted. */
    @Nullable
    String lastError() {
        return lastFailure == null ? null : lastFailure.error();
    }

    /** Failed attempts to send the item that is next. */
    int attempts() {
        return attempts;
    }

    /** When the item is sent again; null if it does not wait for that. */
    @Nullable
    Long nextAttemptMs() {
        return nextAttemptMs;
    }

    /** Starts behind the last item that was dealt with. The database may be away at the start of the server. */
    void start() {
        when(
                state().compose(state -> DeadLetters.read(sessions, state).map(letters -> new Start(state, letters))),
                start -> {
                    if (stopped) {
                        return;
                    }
                    if (start.succeeded()) {
                        start.result().letters().forEach((itemSeq, letter) -> {
                            if (letter.again()) {
                                again.add(itemSeq);
                            }
                        });
                        follow(Objects.requireNonNull(
                                start.result().state().progress().webhook()));
                    } else {
                        log.warn(
                                "The webhook of the session {} waits: {}",
                                webhook.session(),
                                String.valueOf(start.cause()));
                        later(WebhookLimits.RECORD_RETRY_MS, this::start);
                    }
                });
    }

    private record Start(SessionState state, TreeMap<Long, DeadLetters.Letter> letters) {}

    /** The session's state, in which the webhook is set: the last server may have died before it had recorded that. */
    private Future<SessionState> state() {
        return sessions.state(webhook.session())
                .recover(e -> isNoSession(e) ? recordSet() : Future.failedFuture(e))
                .compose(state -> {
                    WebhookProgress progress = state.progress().webhook();
                    return progress != null && progress.set() ? Future.succeededFuture(state) : recordSet();
                });
    }

    /** There is no session, or it was removed because of its age: then its name begins a new one. */
    static boolean isNoSession(Throwable why) {
        return why instanceof Failure failure
                && (failure.code() == FailureCode.SESSION_NOT_FOUND || failure.code() == FailureCode.SESSION_GONE);
    }

    private Future<SessionState> recordSet() {
        return sessions.record(
                webhook.session(), new WebhookEvent.Set(webhook.url().target(), webhook.rule(), webhook.actor()));
    }

    private void follow(WebhookProgress progress) {
        FrameFollower frames = sessions.follow(webhook.session(), progress.fromSeq());
        follower = frames;
        frames.pause();
        frames.exceptionHandler(why -> {
            if (isNoSession(why) && !stopped) {
                follower = null;
                next = null;
                asked = false;
                start();
            } else {
                log.error("The webhook of the session {} stops", webhook.session(), why);
            }
        });
        frames.handler(frame -> {
            asked = false;
            next = Mailbox.isItem(frame.body()) ? frame : null;
            advance();
        });
        advance();
    }

    /** Continues on the webhooks' context, since sessions and tasks answer on theirs. */
    private <T> void when(Future<T> future, Handler<AsyncResult<T>> then) {
        future.onComplete(done -> context.runOnContext(here -> then.handle(done)));
    }

    void stop() {
        stopped = true;
        vertx.cancelTimer(timer);
        FrameFollower frames = follower;
        if (frames != null) {
            frames.cancel();
        }
    }

    /** Sends dead letters again. */
    void sendAgain(Collection<Long> itemSeqs) {
        again.addAll(itemSeqs);
        advance();
    }

    private void advance() {
        if (busy || stopped || follower == null) {
            return;
        }
        Frame item = next;
        if (!again.isEmpty()) {
            busy = true;
            long seq = again.element();
            when(sessions.frames(webhook.session(), seq, 1), page -> {
                if (page.succeeded()) {
                    deliver(page.result().frames().getFirst(), 1);
                } else {
                    later(WebhookLimits.RECORD_RETRY_MS, () -> {
                        busy = false;
                        advance();
                    });
                }
            });
        } else if (item != null) {
            busy = true;
            deliver(item, 1);
        } else if (!asked) {
            asked = true;
            follower.fetch(1);
        }
    }

    private void deliver(Frame frame, int attempt) {
        nextAttemptMs = null;
        slots.enter(() -> when(send(frame), ended -> {
            slots.leave();
            if (stopped) {
                return;
            }
            // The item could not be read, for example because the database is away.
            Attempt result = ended.succeeded()
                    ? ended.result()
                    : new Attempt.Failed(null, String.valueOf(ended.cause().getMessage()), 0);
            switch (result) {
                case Attempt.Accepted accepted -> {
                    lastFailure = null;
                    record(frame, new WebhookEvent.Settled(frame.seq(), attempt, accepted.status(), null));
                }
                case Attempt.Failed failed -> failed(frame, attempt, failed);
            }
        }));
    }

    private Future<Attempt> send(Frame frame) {
        if (stopped) {
            return Future.failedFuture("the webhook is stopped");
        }
        return SessionJson.item(tasks, frame, true)
                .compose(json -> client.send(webhook, secret, CloudEvent.of(new MailboxItem(frame), json)));
    }

    private void failed(Frame frame, int attempt, Attempt.Failed failed) {
        lastFailure = failed;
        attempts = attempt;
        if (!failed.isFinal() && attempt < times.attempts()) {
            long waitMs =
                    Math.max(times.retryMs(attempt, ThreadLocalRandom.current().nextDouble()), failed.retryAfterMs());
            deliverLater(waitMs, frame, attempt + 1);
            return;
        }
        when(sessions.state(webhook.session()), state -> {
            WebhookProgress progress =
                    state.succeeded() ? state.result().progress().webhook() : null;
            boolean full = progress == null
                    || (frame.seq() >= progress.fromSeq() && progress.deadLetters() >= Limits.WEBHOOK_DEAD_LETTERS);
            if (full) {
                deliverLater(times.mostRetryMs(), frame, attempt);
                return;
            }
            log.warn(
                    "The webhook of the session {} did not take the item {} in {} attempts: {}",
                    webhook.session(),
                    frame.seq(),
                    attempt,
                    failed.error());
            record(frame, new WebhookEvent.Settled(frame.seq(), attempt, failed.status(), failed.error()));
        });
    }

    /** Goes on once the session has it. */
    private void record(Frame frame, WebhookEvent event) {
        when(sessions.record(webhook.session(), event), recorded -> {
            if (recorded.failed()) {
                later(WebhookLimits.RECORD_RETRY_MS, () -> record(frame, event));
                return;
            }
            if (!again.isEmpty() && again.element() == frame.seq()) {
                again.remove();
            } else {
                next = null;
            }
            busy = false;
            attempts = 0;
            advance();
        });
    }

    private void deliverLater(long waitMs, Frame frame, int attempt) {
        nextAttemptMs = System.currentTimeMillis() + waitMs;
        later(waitMs, () -> deliver(frame, attempt));
    }

    private void later(long ms, Runnable then) {
        if (!stopped) {
            timer = vertx.setTimer(ms, up -> {
                timer = NO_TIMER;
                then.run();
            });
        }
    }
}
