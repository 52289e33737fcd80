package io.penstock.engine.pump;

import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.TaskEnvironment;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.task.TaskRecord;
import io.penstock.engine.task.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;

/** Asks policy whether a task may begin, on the shard that would own it. */
final class SpawnGate {

    private final ShardServices parts;

    SpawnGate(ShardServices parts) {
        this.parts = parts;
    }

    /** What policy is asked about this request. */
    static PolicyQuestion question(TaskRequest request) {
        return new PolicyQuestion(
                Operation.SPAWN,
                request.actor(),
                request.toolName(),
                ArgValues.of(request.args()),
                TaskEnvironment.of(request.environment()),
                request.mode(),
                request.originSessionId(),
                0);
    }

    Verdict ask(TaskRequest request) {
        return parts.policy().get().verdict(question(request));
    }

    /** What is left of a denied spawn is one frame. Nothing was touched for it, so nothing has to be cleared up. Always fails. */
    Future<TaskState> refuse(String taskId, TaskRequest request, Verdict.Deny denied) {
        return refuse(
                taskId,
                request,
                PolicyDenied.sentence(Operation.SPAWN, denied),
                Cause.POLICY,
                Actor.POLICY,
                new PolicyDenied(taskId, Operation.SPAWN, denied));
    }

    /** The same of one for which there is no room. */
    <T> Future<T> refuse(String taskId, TaskRequest request, String noRoom) {
        return refuse(taskId, request, noRoom, Cause.QUOTA, Actor.SERVER, new QuotaExceeded(taskId, noRoom));
    }

    private <T> Future<T> refuse(
            String taskId, TaskRequest request, String why, Cause cause, Actor actor, Failure failure) {
        var asked = new RefusedSpawn(
                request.toolName(),
                request.args(),
                request.cwd(),
                request.title(),
                request.mode(),
                request.originSessionId(),
                request.label(),
                request.actor());
        return parts.log().create(StreamId.task(taskId)).compose(writer -> {
            var record = new TaskRecord(writer, parts.clockMs(), TaskState.ABSENT);
            return record.write(ToolTaskStatus.refusal(asked, record.now(), TaskSentences.fitting(why), cause, actor))
                    .onComplete(told -> record.close())
                    .compose(told -> Future.failedFuture(failure));
        });
    }
}
