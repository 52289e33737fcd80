package io.penstock.engine.session;

import io.penstock.engine.address.Service;
import io.penstock.engine.log.FrameLog;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Owns the streams of the sessions whose ids belong to its address, all on one thread. */
final class SessionVerticle extends VerticleBase {

    /** Sessions held open: a KiB each. Opening one again takes a millisecond. */
    private static final int OPEN_SESSIONS = 1_000;

    /** Retention removes no session that is open. */
    private static final long IDLE_MS = TimeUnit.DAYS.toMillis(1);

    /** The ends of the last tasks are recorded in milliseconds; a database that is away records nothing within any time. */
    private static final long SETTLED_WITHIN_MS = 5_000;

    private final String address;
    private final FrameLog log;
    private final LongSupplier clockMs;

    /** The least recently used first. */
    private final LinkedHashMap<String, LiveSession> sessions = new LinkedHashMap<>(16, 0.75f, true);

    SessionVerticle(String address, FrameLog log, LongSupplier clockMs) {
        this.address = address;
        this.log = log;
        this.clockMs = clockMs;
    }

    @Override
    public Future<?> start() {
        return Service.serve(vertx.eventBus(), address, this::carryOut);
    }

    private Future<?> carryOut(SessionRequest<?> request) {
        LiveSession session = sessions.computeIfAbsent(
                request.sessionId(), id -> new LiveSession(vertx, log, clockMs, StreamId.session(id)));
        Future<?> done = switch (request) {
            case SessionRequest.Record fact -> session.record(fact.event());
            case SessionRequest.RecordOnce fact -> session.recordOnce(fact.end());
            case SessionRequest.Webhook fact -> session.record(fact.event());
            case SessionRequest.Use use -> session.use(use.actor());
            case SessionRequest.State _ -> session.current();
            case SessionRequest.Acknowledge ack -> session.acknowledge(ack.throughSeq(), ack.actor());
            case SessionRequest.End end -> session.end(end.reason(), end.actor());
        };
        closeUnused();
        return done;
    }

    private void closeUnused() {
        var oldest = sessions.entrySet().iterator();
        long idleSinceMs = clockMs.getAsLong() - IDLE_MS;
        while (oldest.hasNext()) {
            LiveSession session = oldest.next().getValue();
            if (sessions.size() <= OPEN_SESSIONS && session.lastUsedMs() >= idleSinceMs) {
                return;
            }
            if (!session.isBusy()) {
                oldest.remove();
                session.close();
            }
        }
    }

    @Override
    public Future<?> stop() {
        List<LiveSession> all = List.copyOf(sessions.values());
        return Future.join(all.stream().map(LiveSession::settled).toList())
                .timeout(SETTLED_WITHIN_MS, TimeUnit.MILLISECONDS)
                .onComplete(settled -> all.forEach(LiveSession::close))
                .recover(late -> Future.succeededFuture());
    }
}
