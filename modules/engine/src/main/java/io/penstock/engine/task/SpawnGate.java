package io.penstock.engine.task;

import io.penstock.engine.address.Address;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.policy.ArgValues;
import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.PolicyDenied;
import io.penstock.engine.policy.PolicyQuestion;
import io.penstock.engine.policy.TaskEnvironment;
import io.penstock.engine.policy.Verdict;
import io.penstock.engine.task.record.TaskRecord;
import io.penstock.engine.task.record.TaskSentences;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Failure;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import java.util.function.LongSupplier;

/** Asks policy whether a task may be spawned, and records refusals. */
public final class SpawnGate {

    private final Address<PolicyQuestion> policy;
    private final FrameLog log;
    private final LongSupplier clockMs;

    SpawnGate(Address<PolicyQuestion> policy, FrameLog log, LongSupplier clockMs) {
        this.policy = policy;
        this.log = log;
        this.clockMs = clockMs;
    }

    Future<Verdict> ask(TaskRequest request) {
        return policy.request(question(request));
    }

    /** The question to policy about a spawn, or about another run of its task. */
    public static PolicyQuestion question(TaskRequest request) {
        return new PolicyQuestion(
                Operation.SPAWN,
                request.actor(),
                request.toolName(),
                ArgValues.of(request.args()),
                TaskEnvironment.of(request.environment()),
                request.mode(),
                request.originSessionId(),
                request.links() == null ? 0 : request.links().depth());
    }

    /** Always fails, after the refusal is recorded: a stream of one frame is all that is left of the spawn. */
    Future<TaskState> refuse(String taskId, TaskRequest request, Verdict.Deny denied) {
        return refuse(
                taskId,
                request.refused().deniedBy(denied.rule()),
                PolicyDenied.sentence(Operation.SPAWN, denied),
                Cause.POLICY,
                Actor.POLICY,
                new PolicyDenied(taskId, Operation.SPAWN, denied));
    }

    /** The same for a spawn that exceeds a quota. */
    Future<TaskState> refuse(String taskId, TaskRequest request, String exceeded) {
        return refuse(
                taskId, request.refused(), exceeded, Cause.QUOTA, Actor.SERVER, new QuotaExceeded(taskId, exceeded));
    }

    private Future<TaskState> refuse(
            String taskId, RefusedSpawn refused, String why, Cause cause, Actor actor, Failure failure) {
        return log.create(StreamId.task(taskId)).compose(writer -> {
            var record = new TaskRecord(writer, clockMs, TaskState.ABSENT);
            return record.write(ToolTaskStatus.refusal(refused, record.now(), TaskSentences.fitting(why), cause, actor))
                    .onComplete(recorded -> record.close())
                    .compose(recorded -> Future.failedFuture(failure));
        });
    }
}
