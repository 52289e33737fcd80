package io.penstock.engine.session;

import io.penstock.engine.address.Address;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.SessionIndex;
import io.penstock.engine.log.TaskCursor;
import io.penstock.frames.Actor;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The door to sessions and their mailboxes. May be called from any thread. */
public final class SessionApi {

    private final FrameLog log;
    private final SessionIndex index;
    private final Deliveries deliveries = new Deliveries();
    /** A session belongs to the owner that its id selects. */
    private final List<Address<SessionRequest<?>>> addresses;

    private final List<String> deployments;

    private SessionApi(
            EventBus bus, FrameLog log, SessionIndex index, List<String> addresses, List<String> deployments) {
        this.log = log;
        this.index = index;
        this.addresses = addresses.stream()
                .map(address -> new Address<SessionRequest<?>>(bus, address, SessionApi::closed))
                .toList();
        this.deployments = List.copyOf(deployments);
    }

    private static Failure closed() {
        return new Failure(FailureCode.TASK_NOT_READY, "The server shuts down; its sessions are closed");
    }

    /** Deploys an owner for each processor. */
    public static Future<SessionApi> deploy(Vertx vertx, FrameLog log, SessionIndex index, LongSupplier clockMs) {
        List<String> addresses = IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .mapToObj(number -> "penstock.session." + number)
                .toList();
        return Future.all(addresses.stream()
                        .map(address -> vertx.deployVerticle(new SessionVerticle(address, log, clockMs)))
                        .toList())
                .map(all -> new SessionApi(vertx.eventBus(), log, index, addresses, all.list()));
    }

    /** What {@link #deploy} deployed. */
    public List<String> deployments() {
        return deployments;
    }

    /** Lists sessions, including those of earlier servers, the newest first. */
    public Future<SessionPage> list(@Nullable TaskCursor after, int limit) {
        return index.sessions(after, limit + 1).map(rows -> SessionPage.of(rows, limit));
    }

    /** Records a fact about a task in the stream of its session; completes when it is accepted. */
    public Future<?> record(String sessionId, SessionEvent event) {
        return this.<@Nullable Frame>request(new SessionRequest.Record(sessionId, event));
    }

    /**
     * Announces a caller that waits for the end of a task. Its notification waits for a moment until it is known whether the caller got the
     * result, and is left out if so.
     */
    public Delivery expect(String taskId) {
        return deliveries.expect(taskId);
    }

    /** Records the end of a task; completes when it is accepted. */
    public Future<?> recordEnd(String sessionId, String taskId, TaskState last) {
        return deliveries
                .delivered(taskId, last.run().number())
                .compose(delivered -> record(sessionId, new SessionEvent.TaskEnded(taskId, last, delivered)));
    }

    /**
     * Records the end of a task unless its session has it already: an earlier server may have died between recording it and noting that
     * it had done so.
     */
    public Future<?> recordOnce(String sessionId, SessionEvent.TaskEnded end) {
        return this.<@Nullable Frame>request(new SessionRequest.RecordOnce(sessionId, end));
    }

    /** Records a fact about a session's webhook. */
    public Future<SessionState> record(String sessionId, WebhookEvent event) {
        return request(new SessionRequest.Webhook(sessionId, event));
    }

    /**
     * The seq, in the task's stream, of the newest hit of each of these watchers that the mailbox of a session has. A watcher of whose
     * hits it has none is left out.
     *
     * @param oldestMs the time of the oldest hit in question
     */
    public Future<Map<String, Long>> newestHits(String sessionId, String taskId, Set<String> watchers, long oldestMs) {
        return state(sessionId)
                .compose(state -> Mailbox.newestHits(
                        log,
                        StreamId.session(sessionId),
                        state.nextSeq(),
                        taskId,
                        watchers,
                        oldestMs - LiveSession.CLOCK_STEP_MS))
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.SESSION_NOT_FOUND
                        ? Future.succeededFuture(Map.of())
                        : Future.failedFuture(e));
    }

    /** Starts a session if it is new or has ended. */
    public Future<SessionState> use(String sessionId, Actor actor) {
        return request(new SessionRequest.Use(sessionId, actor));
    }

    public Future<SessionState> state(String sessionId) {
        return request(new SessionRequest.State(sessionId));
    }

    /** Acknowledges all mailbox items up to and including the one with this seq. */
    public Future<SessionState> acknowledge(String sessionId, long throughSeq, Actor actor) {
        return request(new SessionRequest.Acknowledge(sessionId, throughSeq, actor));
    }

    /** Ends a session. Its tasks continue. */
    public Future<SessionState> end(String sessionId, @Nullable String reason, Actor actor) {
        return request(new SessionRequest.End(sessionId, reason, actor));
    }

    /** Reads mailbox items from a frame on; from the first unacknowledged one if {@code fromSeq} is null. */
    public Future<Mailbox.Items> mailbox(String sessionId, @Nullable Long fromSeq, int limit) {
        return state(sessionId)
                .compose(state -> Mailbox.read(
                        log,
                        StreamId.session(sessionId),
                        fromSeq == null ? state.progress().mailboxFrom() : fromSeq,
                        limit));
    }

    /** The frames of a session from {@code fromSeq} on, as many as there are, at most {@code maxFrames}. */
    public Future<Page> frames(String sessionId, long fromSeq, int maxFrames) {
        return log.read(StreamId.session(sessionId), fromSeq, maxFrames);
    }

    /** The frames of a session from {@code fromSeq} on, then those to come. */
    public FrameFollower follow(String sessionId, long fromSeq) {
        return log.follow(StreamId.session(sessionId), fromSeq);
    }

    private <A extends @Nullable Object> Future<A> request(SessionRequest<A> request) {
        return addresses
                .get(Math.floorMod(request.sessionId().hashCode(), addresses.size()))
                .requestAtOnce(request);
    }
}
