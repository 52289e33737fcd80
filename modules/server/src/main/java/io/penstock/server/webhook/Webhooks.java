package io.penstock.server.webhook;

import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.policy.WebhookGate;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionState;
import io.penstock.engine.session.WebhookEvent;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.StreamId;
import io.penstock.frames.WebhookProgress;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.SessionJson;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The door to the webhooks of sessions, and their owner: one for the server, on one event loop. May be called from any thread. */
public final class Webhooks {

    private static final Logger log = LoggerFactory.getLogger(Webhooks.class);

    private final Vertx vertx;
    private final SessionApi sessions;
    private final TaskApi tasks;
    private final WebhookTimes times;
    private final WebhookFiles files;
    private final Owner owner;
    private final WebhookClient client;
    private final DeliverySlots slots = new DeliverySlots(WebhookLimits.DELIVERIES);
    private final Map<String, SessionWebhook> webhooks = new HashMap<>();

    /** Sessions whose webhook the last server had begun to remove, and for whom. */
    private final Map<String, Actor> removals = new HashMap<>();

    private byte[] key = {};
    private String deployment = "";

    /** Changes, one after the other. */
    private Future<?> changes = Future.succeededFuture();

    /** Gives the webhooks their event loop. */
    private static final class Owner extends VerticleBase {
        void run(Runnable action) {
            context.runOnContext(here -> action.run());
        }
    }

    private Webhooks(Vertx vertx, Path data, SessionApi sessions, TaskApi tasks, WebhookGate gate, WebhookTimes times) {
        this.vertx = vertx;
        this.sessions = sessions;
        this.tasks = tasks;
        this.times = times;
        this.files = new WebhookFiles(data);
        this.owner = new Owner();
        this.client = new WebhookClient(vertx, gate, times.timeoutMs());
    }

    /** Resumes the webhooks of the data directory. */
    public static Future<Webhooks> start(
            Vertx vertx, Path data, SessionApi sessions, TaskApi tasks, WebhookGate gate, WebhookTimes times) {
        var webhooks = new Webhooks(vertx, data, sessions, tasks, gate, times);
        return vertx.deployVerticle(webhooks.owner).compose(id -> {
            webhooks.deployment = id;
            return webhooks.resume();
        });
    }

    private Future<Webhooks> resume() {
        return vertx.<WebhookFiles.Found>executeBlocking(
                        () -> {
                            key = files.key();
                            return files.all();
                        },
                        false)
                .compose(all -> onOwner(() -> {
                    Objects.requireNonNull(all).webhooks().forEach(this::begin);
                    removals.putAll(all.removals());
                    all.removals().keySet().forEach(this::finishRemoval);
                    return Future.succeededFuture(this);
                }));
    }

    /** Records a removal that the last server has begun. The database may be away at the start of the server. */
    private void finishRemoval(String session) {
        change(() -> {
                    Actor actor = removals.get(session);
                    return actor == null ? Future.succeededFuture(false) : recordRemoval(session, actor);
                })
                .onFailure(e -> {
                    log.warn("The removal of the webhook of the session {} waits: {}", session, String.valueOf(e));
                    vertx.setTimer(WebhookLimits.RECORD_RETRY_MS, up -> finishRemoval(session));
                });
    }

    /** The file is deleted once the session says that it has no webhook: until then, it tells the next server to say so. */
    private Future<Boolean> recordRemoval(String session, Actor actor) {
        return sessions.record(session, new WebhookEvent.Removed(actor))
                .map(state -> true)
                .recover(e -> SessionWebhook.isNoSession(e) ? Future.succeededFuture(false) : Future.failedFuture(e))
                .compose(recorded -> blocking(() -> files.delete(session)))
                .compose(deleted -> onOwner(() -> {
                    removals.remove(session);
                    return Future.succeededFuture(true);
                }));
    }

    private void begin(WebhookFiles.Stored stored) {
        SessionWebhook before = webhooks.remove(stored.session());
        if (before != null) {
            before.stop();
        }
        WebhookSecret given = stored.secret();
        var webhook = new SessionWebhook(
                vertx,
                vertx.getOrCreateContext(),
                sessions,
                tasks,
                client,
                slots,
                times,
                stored,
                given == null ? WebhookSecret.derived(key, stored.session()) : given);
        webhooks.put(stored.session(), webhook);
        webhook.start();
    }

    private <T> Future<T> onOwner(Supplier<Future<T>> action) {
        Promise<T> done = Promise.promise();
        owner.run(() -> {
            try {
                action.get().onComplete(done);
            } catch (RuntimeException e) {
                done.fail(e);
            }
        });
        return done.future();
    }

    /** Carries out changes in their order, so that files and frames agree. */
    private <T> Future<T> change(Supplier<Future<T>> action) {
        return onOwner(() -> {
            Future<T> done = changes.transform(before -> onOwner(action));
            changes = done;
            return done;
        });
    }

    /** Sets the webhook of a session, which need not have been used before; answers as {@link #status}. */
    public Future<JsonObject> set(String session, String url, @Nullable String secret, Actor actor) {
        WebhookUrl parsed = WebhookUrl.parse(url);
        WebhookSecret given = secret == null ? null : WebhookSecret.parse(secret);
        try {
            StreamId.session(session);
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
        }
        return onOwner(() -> client.allow(actor, session, parsed))
                .compose(rule -> change(() -> {
                    if (!webhooks.containsKey(session) && webhooks.size() >= WebhookLimits.WEBHOOKS) {
                        throw new Failure(
                                FailureCode.QUOTA_EXCEEDED,
                                WebhookLimits.WEBHOOKS + " sessions have a webhook; remove one first");
                    }
                    var stored = new WebhookFiles.Stored(session, parsed, given, actor, rule);
                    removals.remove(session);
                    return blocking(() -> files.write(stored))
                            .compose(written ->
                                    sessions.record(session, new WebhookEvent.Set(parsed.target(), rule, actor)))
                            .compose(recorded -> onOwner(() -> {
                                begin(stored);
                                return Future.succeededFuture();
                            }));
                }))
                .compose(state -> status(session));
    }

    /** Removes the webhook of a session, if it has one; answers as {@link #status}. */
    public Future<JsonObject> remove(String session, Actor actor) {
        return sessions.state(session)
                .compose(exists -> change(() -> blocking(() -> files.markRemoved(session, actor))
                        .compose(marked -> onOwner(() -> {
                            SessionWebhook webhook = webhooks.remove(session);
                            if (webhook != null) {
                                webhook.stop();
                            }
                            return recordRemoval(session, actor);
                        }))))
                .compose(state -> status(session));
    }

    /** Where the items of a session go, and how far they are. */
    public Future<JsonObject> status(String session) {
        return sessions.state(session)
                .compose(state -> onOwner(() -> Future.succeededFuture(json(state, webhooks.get(session)))));
    }

    private static JsonObject json(SessionState state, @Nullable SessionWebhook webhook) {
        WebhookProgress progress = state.progress().webhook();
        WebhookFiles.Stored stored = webhook == null ? null : webhook.stored();
        return new JsonObject()
                .put("session_id", state.sessionId())
                .put("target", stored == null ? null : stored.url().target())
                .put("secret", stored == null ? null : stored.secret() == null ? "derived" : "given")
                .put("set_by", stored == null ? null : stored.actor().toString())
                .put(
                        "waiting",
                        stored == null || progress == null
                                ? 0
                                : state.progress().items() - progress.items())
                .put("dead_letters", progress == null ? 0 : progress.deadLetters())
                .put("last_error", webhook == null ? null : webhook.lastError())
                .put("attempts", webhook == null ? 0 : webhook.attempts())
                .put("next_attempt_at_ms", webhook == null ? null : webhook.nextAttemptMs());
    }

    /** A page of the items that could not be delivered, in order; from the item in the frame {@code fromSeq} on. */
    public Future<JsonObject> deadLetters(String session, long fromSeq, int limit) {
        return sessions.state(session)
                .compose(state -> DeadLetters.read(sessions, state).compose(all -> {
                    List<Map.Entry<Long, DeadLetters.Letter>> page = all.tailMap(fromSeq).entrySet().stream()
                            .limit(limit)
                            .toList();
                    var listed = new JsonArray();
                    return AsyncLoop.of(() -> listed.size() == page.size()
                                    ? Future.succeededFuture(false)
                                    : json(session, page.get(listed.size()).getValue())
                                            .map(letter -> {
                                                listed.add(letter);
                                                return true;
                                            }))
                            .map(done -> new JsonObject()
                                    .put("session_id", session)
                                    .put("dead_letters", listed)
                                    .put("next_seq", nextSeq(all, page))
                                    .put("total", all.size()));
                }));
    }

    private static @Nullable Long nextSeq(
            TreeMap<Long, DeadLetters.Letter> all, List<Map.Entry<Long, DeadLetters.Letter>> page) {
        return page.isEmpty() ? null : all.higherKey(page.getLast().getKey());
    }

    private Future<JsonObject> json(String session, DeadLetters.Letter letter) {
        long itemSeq = letter.failure().itemSeq();
        return sessions.frames(session, itemSeq, 1)
                .compose(page -> SessionJson.item(tasks, page.frames().getFirst(), false))
                .map(item -> new JsonObject()
                        .put("item_seq", itemSeq)
                        .put("attempts", letter.failure().attempts())
                        .put("http_status", letter.failure().status())
                        .put("error", letter.failure().error())
                        .put("at_ms", letter.frame().timestampMs())
                        .put("again", letter.again())
                        .put("item", item));
    }

    /**
     * Sends dead letters again, before the items that come next; answers with their number.
     *
     * @param itemSeq the frame of one item; null for all
     */
    public Future<JsonObject> sendAgain(String session, @Nullable Long itemSeq, Actor actor) {
        return sessions.state(session)
                .compose(exists -> change(() -> {
                    SessionWebhook webhook = webhooks.get(session);
                    if (webhook == null) {
                        throw new Failure(
                                FailureCode.TASK_NOT_READY,
                                "The session " + session + " has no webhook; set one to which they are sent");
                    }
                    return sessions.state(session)
                            .compose(state -> DeadLetters.read(sessions, state))
                            .compose(letters -> recordAgain(session, chosen(session, letters, itemSeq), actor))
                            .compose(seqs -> onOwner(() -> {
                                webhook.sendAgain(seqs);
                                return Future.succeededFuture(seqs);
                            }));
                }))
                .map(seqs -> new JsonObject().put("session_id", session).put("again", seqs.size()));
    }

    private static List<Long> chosen(
            String session, TreeMap<Long, DeadLetters.Letter> letters, @Nullable Long itemSeq) {
        if (itemSeq != null && !letters.containsKey(itemSeq)) {
            throw RequestFields.wrong("item_seq is " + itemSeq + ", which is no dead letter of the session " + session);
        }
        return letters.entrySet().stream()
                .filter(letter -> !letter.getValue().again())
                .map(Map.Entry::getKey)
                .filter(seq -> itemSeq == null || itemSeq.equals(seq))
                .toList();
    }

    private Future<List<Long>> recordAgain(String session, List<Long> seqs, Actor actor) {
        var recorded = new ArrayList<Long>();
        return AsyncLoop.of(() -> recorded.size() == seqs.size()
                        ? Future.succeededFuture(false)
                        : sessions.record(session, new WebhookEvent.Again(seqs.get(recorded.size()), actor))
                                .map(state -> recorded.add(seqs.get(recorded.size()))))
                .map(done -> recorded);
    }

    private interface BlockingStep {
        void run() throws IOException;
    }

    private Future<?> blocking(BlockingStep step) {
        return vertx.executeBlocking(
                () -> {
                    step.run();
                    return true;
                },
                false);
    }

    /** Ends deliveries; what was not recorded as delivered is sent again by the next server. */
    public Future<?> stop() {
        return onOwner(() -> {
                    webhooks.values().forEach(SessionWebhook::stop);
                    webhooks.clear();
                    return Future.succeededFuture();
                })
                .eventually(() -> vertx.undeploy(deployment))
                .eventually(client::close);
    }
}
