package io.penstock.engine.pump;

import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.linux.Leftover;
import io.penstock.engine.spawn.linux.Marked;
import io.penstock.frames.Actor;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.LogEnd;
import io.penstock.frames.LogRef;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a dead server left running: kills what is left of each program, and tells in its task's stream that the task is lost.
 * To be done before anything new is begun.
 */
final class LeftTasks {

    private static final Logger log = LoggerFactory.getLogger(LeftTasks.class);

    private final Vertx vertx;
    private final TaskParts parts;

    LeftTasks(Vertx vertx, TaskParts parts) {
        this.vertx = vertx;
        this.parts = parts;
    }

    /** Ends all of them, one after the other; completes with how many there were. */
    Future<Integer> endAll() {
        return vertx.executeBlocking(() -> parts.live().left().stream()
                        // It was never started, whatever else is noted of it.
                        .filter(task -> !parts.queue().holds(task.taskId()))
                        .toList())
                .map(Objects::requireNonNull)
                .compose(left -> {
                    Future<Void> done = Future.succeededFuture();
                    for (LiveTasks.Left task : left) {
                        done = done.compose(before -> end(task));
                    }
                    if (!left.isEmpty()) {
                        log.info("{} tasks were left by a server that died; they are ended as lost", left.size());
                    }
                    return done.map(left.size());
                });
    }

    Future<Void> end(LiveTasks.Left left) {
        return vertx.executeBlocking(() -> killed(left))
                .map(Objects::requireNonNull)
                .compose(alive -> state(stream(left))
                        .compose(state -> state.phase() == Phase.ABSENT || state.phase() == Phase.ENDED
                                ? Future.<Void>succeededFuture()
                                : open(stream(left)).compose(writer -> told(writer, state, left, alive))))
                .compose(told -> vertx.<Void>executeBlocking(() -> {
                    parts.live().ended(left.taskId());
                    return null;
                }))
                .<Void>mapEmpty()
                .recover(e -> {
                    // One that cannot be told must not keep all others from running; its file stays for the next start.
                    log.error("Task {} was left by a dead server and cannot be ended", left.taskId(), e);
                    return Future.succeededFuture();
                });
    }

    private static StreamId stream(LiveTasks.Left left) {
        return StreamId.task(left.taskId());
    }

    /** First what can be proved to be the task's by its mark; then the rest of its session, if that is still its own. */
    private static List<Survivor> killed(LiveTasks.Left left) {
        var alive = new LinkedHashSet<>(Marked.end(SpawnRequest.MARK, left.taskId()));
        ProcessIdentity program = left.program();
        if (program != null) {
            alive.addAll(Leftover.end(program).left());
        }
        return List.copyOf(alive);
    }

    /** What is recorded of it. */
    Future<TaskState> state(StreamId stream) {
        return UntilAnswered.ask(vertx, () -> Folding.of(parts.log(), stream, Long.MAX_VALUE))
                // It was to begin, and nothing of it was accepted.
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.STREAM_NOT_FOUND
                        ? Future.succeededFuture(TaskState.ABSENT)
                        : Future.failedFuture(e));
    }

    Future<StreamWriter> open(StreamId stream) {
        return UntilAnswered.ask(vertx, () -> parts.log().open(stream));
    }

    private Future<Void> told(StreamWriter writer, TaskState state, LiveTasks.Left left, List<Survivor> alive) {
        String unanswered = unanswered(state, left, alive);
        var record = new TaskRecord(writer, parts.clockMs(), state);
        if (!alive.isEmpty()) {
            record.write(new TaskNotice(
                    "still_alive", "What the task started and could not be ended: " + Wording.names(alive)));
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
    private static @Nullable String unanswered(TaskState state, LiveTasks.Left left, List<Survivor> alive) {
        String question = state.run().question();
        return question != null && state.run().startedAtMs() == null && left.program() == null && alive.isEmpty()
                ? Wording.fitting("never started: the server died before anybody had answered \"" + question
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

    private Future<LogEnd> sealLog(TaskRecord record, TaskState state, LogRef ref) {
        Channel channel = ref.channel();
        long total = state.output().total(channel);
        long stored = state.output().stored(channel);
        return parts.artifacts().recover(ref.artifactId(), stored).transform(recovered -> {
            if (recovered.failed()) {
                String why = "it could not be sealed: " + recovered.cause().getMessage();
                return Future.succeededFuture(new LogEnd(ref, total, stored, Wording.fitting(why)));
            }
            if (total == 0) {
                return Future.succeededFuture(new LogEnd(ref, 0, 0, null));
            }
            Sealed kept = recovered.result();
            record.write(new ArtifactWritten(kept.artifactId(), "log", kept.bytes(), kept.digest(), null));
            return Future.succeededFuture(new LogEnd(
                    ref,
                    total,
                    stored,
                    kept.bytes() == stored ? null : "only " + kept.bytes() + " bytes are left of it"));
        });
    }
}
