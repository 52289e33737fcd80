package io.penstock.engine.pump;

import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.linux.OrphanSession;
import io.penstock.engine.task.TaskRecord;
import io.penstock.engine.task.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Keep;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a dead server left running: kills what is left of each program, and tells in its task's stream that the task is lost.
 * Which tasks these are is found before any new task begins; they are ended while the server serves, since a machine with many
 * processes takes seconds for it.
 */
final class LostTaskRecovery {

    private static final Logger log = LoggerFactory.getLogger(LostTaskRecovery.class);

    private final Vertx vertx;
    private final ShardServices parts;

    LostTaskRecovery(Vertx vertx, ShardServices parts) {
        this.vertx = vertx;
        this.parts = parts;
    }

    /** Those that the folder names now, without the ones that wait for their turn: they were never started. */
    Future<List<OrphanSession>> find() {
        return vertx.executeBlocking(() -> parts.live().left().stream()
                        .filter(task -> !parts.queue().contains(task.taskId()))
                        .toList())
                .map(Objects::requireNonNull);
    }

    /** Kills what is left of all of them, then tells the end of each; completes when all are told. */
    Future<Void> endAll(List<OrphanSession> left) {
        if (left.isEmpty()) {
            return Future.succeededFuture();
        }
        log.info("{} tasks were left by a server that died; they are ended as lost", left.size());
        return vertx.executeBlocking(() -> OrphanSession.killAll(left))
                .map(Objects::requireNonNull)
                .compose(alive -> {
                    Future<Void> told = Future.succeededFuture();
                    for (OrphanSession task : left) {
                        told = told.compose(before -> settle(task, alive.getOrDefault(task.taskId(), List.of())));
                    }
                    return told;
                });
    }

    /** What still runs of it has been killed, but for those that are alive. */
    private Future<Void> settle(OrphanSession left, List<Survivor> alive) {
        // Within the chain, since a file in the folder may have a name that no task has.
        return Future.succeededFuture()
                .compose(begin -> state(stream(left)))
                .compose(state -> state.phase() == Phase.ABSENT || state.phase() == Phase.ENDED
                        ? Future.<Void>succeededFuture()
                        : open(stream(left)).compose(writer -> recordLoss(writer, state, left, alive)))
                .compose(told -> vertx.<Void>executeBlocking(() -> {
                    parts.live().remove(left.taskId());
                    return null;
                }))
                .<Void>mapEmpty()
                .recover(e -> {
                    // One that cannot be told must not keep all others from being told; its file stays for the next
                    // start.
                    log.error("Task {} was left by a dead server and cannot be ended", left.taskId(), e);
                    return Future.succeededFuture();
                });
    }

    private static StreamId stream(OrphanSession left) {
        return StreamId.task(left.taskId());
    }

    /** What is recorded of it. */
    Future<TaskState> state(StreamId stream) {
        return DatabaseRetry.run(vertx, () -> StateReader.of(parts.log(), stream, Long.MAX_VALUE))
                // It was to begin, and nothing of it was accepted.
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.STREAM_NOT_FOUND
                        ? Future.succeededFuture(TaskState.ABSENT)
                        : Future.failedFuture(e));
    }

    Future<StreamWriter> open(StreamId stream) {
        return DatabaseRetry.run(vertx, () -> parts.log().open(stream));
    }

    private Future<Void> recordLoss(StreamWriter writer, TaskState state, OrphanSession left, List<Survivor> alive) {
        String unanswered = unanswered(state, left, alive);
        var record = new TaskRecord(writer, parts.clockMs(), state);
        if (!alive.isEmpty()) {
            record.write(new TaskNotice(
                    "still_alive", "What the task started and could not be ended: " + TaskSentences.names(alive)));
        }
        return sealLogs(record, state)
                .compose(logs -> record.write(new ToolTaskStatus(
                        Phase.ENDED,
                        unanswered == null ? Ending.lost() : Ending.failed(),
                        state.run().startedAtMs(),
                        record.now(),
                        logs,
                        unanswered == null
                                ? "lost: the server died while the task ran, and with it who could have told how it ended"
                                : unanswered,
                        null,
                        Cause.RECOVERY,
                        Actor.SERVER)))
                .onComplete(told -> record.close())
                .mapEmpty();
    }

    /** That nothing of it was ever started, if that is sure: somebody was still being asked whether it may run. */
    private static @Nullable String unanswered(TaskState state, OrphanSession left, List<Survivor> alive) {
        String question = state.run().question();
        return question != null && state.run().startedAtMs() == null && left.program() == null && alive.isEmpty()
                ? TaskSentences.fitting("never started: the server died before anybody had answered \"" + question
                        + "\"; spawn it again to be asked again")
                : null;
    }

    Future<List<LogEnd>> sealLogs(TaskRecord record, TaskState state) {
        ToolTaskSpawned spec = state.spec();
        var logs = new ArrayList<LogEnd>();
        Future<Void> done = Future.succeededFuture();
        for (LogRef ref : spec == null ? List.<LogRef>of() : spec.logs()) {
            done = done.compose(before -> sealLog(record, state, ref)).map(end -> {
                logs.add(end);
                return null;
            });
        }
        return done.map(all -> logs);
    }

    /** How many of the first bytes are within the cap. */
    private long storable(@Nullable ToolTaskSpawned spec, long total) {
        Long cap = spec == null ? null : spec.artifactMaxBytes();
        boolean keepsTail =
                spec != null && spec.keep() == Keep.TAIL && parts.artifacts().canKeepTails();
        return cap == null || keepsTail ? total : Math.min(cap, total);
    }

    private Future<LogEnd> sealLog(TaskRecord record, TaskState state, LogRef ref) {
        Channel channel = ref.channel();
        long total = state.output().total(channel);
        long stored = state.output().stored(channel);
        return parts.artifacts().recover(ref.artifactId(), stored).transform(recovered -> {
            if (recovered.failed()) {
                String why = "it could not be sealed: " + recovered.cause().getMessage();
                return Future.succeededFuture(new LogEnd(ref, total, stored, TaskSentences.fitting(why)));
            }
            Sealed kept = recovered.result();
            if (total == 0) {
                return Future.succeededFuture(new LogEnd(ref, 0, 0, null, kept.digest()));
            }
            long missing = storable(state.spec(), total) - stored;
            if (missing > 0) {
                record.write(
                        new ToolTaskOutputGap(channel, stored, missing, "the server died before it was stored again"));
            }
            record.write(new ArtifactWritten(kept.artifactId(), "log", kept.bytes(), kept.digest(), null));
            return Future.succeededFuture(new LogEnd(
                    ref,
                    total,
                    stored,
                    kept.bytes() == stored ? null : "only " + kept.bytes() + " bytes are left of it",
                    kept.digest()));
        });
    }
}
