package io.penstock.engine.task.matching;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.engine.task.record.TaskSession;
import io.penstock.frames.Channel;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Matches the output of one task with its watchers, and records the hits. Output is matched once its frame has its place in the log, so
 * that a hit can name it: by workers, in order, a short turn at a time, because patterns can be slow. A task whose output is matched more
 * slowly than it is written, or whose hits find no room in the log, is not read for a while. Lives on its shard's context.
 */
public final class OutputMatching {

    /**
     * The services that the matching of all tasks uses.
     *
     * @param workers match: patterns can be slow
     */
    public record Services(FrameLog log, ArtifactStore artifacts, SessionApi sessions, WorkerExecutor workers) {}

    private static final Logger log = LoggerFactory.getLogger(OutputMatching.class);

    /** Output that may wait to be matched: some pieces of a flood. */
    static final long WAITING_BYTES = 4L * Limits.DELTA_BYTES;

    /** The end of a task waits this long for the last matches: a task that has ended must not appear to run. */
    static final long END_MS = 5_000;

    /** Output that is matched once its frame, that of this offset, has its place. */
    private record Unrecorded(Channel channel, long offset, List<WatchStep.Output> output) {}

    /** @param before output of earlier frames that other watchers still need */
    private record Expected(
            WatchGroup group, @Nullable Long fromSeq, List<WatchStep.Output> before, Future<?> recorded) {}

    private final Vertx vertx;
    private final Services services;
    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private final Runnable moved;
    private final WatcherHits hits;
    private final OutputPauses pauses;
    private final OutputFilters filters;
    private final List<WatchGroup> groups = new ArrayList<>();
    private final Map<String, Expected> expected = new HashMap<>();
    private final ArrayDeque<Unrecorded> unrecorded = new ArrayDeque<>();
    private final ArrayDeque<WatchStep> steps = new ArrayDeque<>();
    private @Nullable Promise<Void> ended;
    private long endTimer = -1;
    private long waitingBytes;
    private boolean watching;
    private boolean matching;
    private boolean lastQueued;
    private boolean over;

    /**
     * @param isHeld whether the task is not read at the moment
     * @param moved runs when output was matched and its hits recorded, so that the task may be read again
     */
    public OutputMatching(
            Vertx vertx,
            Services services,
            TaskRecord record,
            ToolTaskSpawned spec,
            BooleanSupplier isHeld,
            Runnable moved) {
        this.vertx = vertx;
        this.services = services;
        this.record = record;
        this.spec = spec;
        this.moved = moved;
        this.pauses = new OutputPauses(vertx, isHeld, this::paused);
        this.filters = new OutputFilters(services.workers(), spec.executionMode());
        this.hits = new WatcherHits(
                vertx.getOrCreateContext(),
                record,
                new TaskSession(services.sessions(), record.stream().id()),
                spec);
        record.whenGiven(this::given);
    }

    /** Matches all output that is read from now on. */
    void add(WatchGroup group) {
        groups.add(group);
        filters.add(group.specs());
        watching = true;
    }

    /**
     * Matches the output behind the frame of this watcher, which is about to be written.
     *
     * @param fromSeq the first frame whose recorded output to match too; null for none
     * @param recorded completes when the frame is accepted
     */
    void add(String watcherId, WatchGroup group, @Nullable Long fromSeq, Future<?> recorded) {
        List<WatchStep.Output> before = filters.release(record.reached().output());
        before.forEach(each -> waitingBytes += each.length());
        filters.add(group.specs());
        expected.put(watcherId, new Expected(group, fromSeq, before, recorded));
        watching = true;
    }

    /** Whether the task is at its end, or its output is matched no more. */
    boolean isOver() {
        return over || ended != null;
    }

    /** Output that is about to be recorded. */
    public void read(Channel channel, ByteBuffer bytes) {
        if (!watching || over) {
            return;
        }
        long offset = record.reached().output().total(channel);
        for (int at = bytes.position(); at < bytes.limit(); at += Limits.DELTA_BYTES) {
            ByteBuffer piece = bytes.slice(at, Math.min(Limits.DELTA_BYTES, bytes.limit() - at));
            List<WatchStep.Output> output = filters.read(channel, offset, piece);
            if (!output.isEmpty()) {
                unrecorded.add(new Unrecorded(channel, offset, output));
                output.forEach(each -> waitingBytes += each.length());
            }
            offset += piece.remaining();
        }
        pauses.wrote(channel);
    }

    private void given(TaskState after, FrameBody body) {
        if (!watching || over) {
            return;
        }
        long seq = after.nextSeq() - 1;
        if (body instanceof ToolTaskOutputDelta delta) {
            Unrecorded next = unrecorded.peek();
            // Output from before there were watchers, and lines without a match, are not here.
            if (next != null && next.channel() == delta.channel() && next.offset() == delta.offset()) {
                unrecorded.remove();
                next.output().forEach(each -> steps.add(each.recordedBy(seq)));
                match();
            }
        } else if (body instanceof TaskWatcherAdded added) {
            Expected known = expected.remove(added.watcherId());
            if (known != null) {
                Long from = known.fromSeq();
                long fromSeq = from == null ? seq : Math.min(from, seq);
                known.before().forEach(each -> steps.add(each.recordedBy(seq)));
                steps.add(new WatchStep.Join(known.group(), fromSeq, seq, known.recorded()));
                match();
            }
        }
    }

    private boolean paused(Channel channel) {
        if (over || !filters.isPassing(channel)) {
            return true;
        }
        if (!unrecorded.isEmpty()) {
            return false;
        }
        steps.add(new WatchStep.Pause(channel));
        match();
        return true;
    }

    /** Whether the task must not be read now. */
    public boolean isBehind() {
        return !over && waitingBytes >= WAITING_BYTES;
    }

    /** The log has room again. */
    public void recordHits() {
        hits.write();
    }

    private void match() {
        if (matching || over || steps.isEmpty()) {
            return;
        }
        matching = true;
        Future<Void> done = steps.peek() instanceof WatchStep.Join join ? join(join) : matchNext();
        done.onComplete(
                matched -> {
                    matching = false;
                    match();
                    finishIfDone();
                    moved.run();
                },
                why -> {
                    log.error("The watchers of {} end", record.stream(), why);
                    giveUp("an error: " + why.getMessage());
                });
    }

    private Future<Void> matchNext() {
        var next = new ArrayList<WatchStep>();
        while (!steps.isEmpty() && !(steps.peek() instanceof WatchStep.Join)) {
            next.add(steps.remove());
        }
        var work = new WatchWork(groups, next);
        return services.workers().executeBlocking(work::run, false).compose(worked -> {
            while (!work.left().isEmpty()) {
                steps.addFirst(work.left().removeLast());
            }
            waitingBytes -= work.matchedBytes();
            return record(work.hits());
        });
    }

    private Future<Void> join(WatchStep.Join join) {
        steps.remove();
        var earlier = new EarlierOutput(
                services.log(), services.artifacts(), services.workers(), record.stream(), spec, join);
        return join.recorded()
                .compose(accepted -> AsyncLoop.of(() -> earlier.isDone() || over
                        ? Future.succeededFuture(false)
                        : earlier.next().compose(this::record).map(true)))
                .onSuccess(joined -> {
                    groups.add(join.group());
                    spec.executionMode().channels().forEach(pauses::wrote);
                });
    }

    private Future<Void> record(List<TaskWatcherHit> found) {
        return over ? Future.succeededFuture() : hits.record(found);
    }

    /** Accepts no more watchers. Completes when the last output is matched, or after some seconds in any case. */
    public Future<Void> end() {
        Promise<Void> last = Promise.promise();
        ended = last;
        pauses.stop();
        if (watching && !over) {
            endTimer = vertx.setTimer(END_MS, late -> endIsLate());
        }
        finishIfDone();
        return last.future();
    }

    private void finishIfDone() {
        Promise<Void> last = ended;
        if (last == null) {
            return;
        }
        if (watching && !over && record.broken() == null) {
            if (matching || !steps.isEmpty() || !unrecorded.isEmpty() || !expected.isEmpty()) {
                return;
            }
            if (!lastQueued) {
                lastQueued = true;
                spec.executionMode().channels().forEach(channel -> steps.add(new WatchStep.End(channel)));
                match();
                return;
            }
        }
        vertx.cancelTimer(endTimer);
        stop();
        last.tryComplete();
    }

    private void endIsLate() {
        if (!hits.isEmpty() && record.broken() == null) {
            // The log has no room, which delays the end anyway.
            endTimer = vertx.setTimer(END_MS, late -> endIsLate());
            return;
        }
        giveUp("their patterns are slow");
    }

    private void giveUp(String why) {
        if (!over && record.broken() == null) {
            record.write(new TaskNotice(
                    "watchers_ended",
                    TaskSentences.fitting("The watchers did not search the output to its end, " + waitingBytes
                            + " bytes of it wait: " + why)));
        }
        stop();
        finishIfDone();
    }

    /** Watches no more: the task is being stopped because it has used up its budget. */
    public void stop() {
        over = true;
        pauses.stop();
        hits.discard();
        steps.clear();
        unrecorded.clear();
    }
}
