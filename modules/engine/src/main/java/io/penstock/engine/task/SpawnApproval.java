package io.penstock.engine.task;

import io.penstock.engine.policy.Operation;
import io.penstock.engine.policy.Verdict;
import io.penstock.frames.Actor;
import io.penstock.frames.Budgets;
import io.penstock.frames.Cause;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.TaskPolicyVerdict;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** A spawn that waits for an answer: the question, until it is answered, its time is up, or the task is stopped. */
public final class SpawnApproval implements StartGate {

    /** In which phase an allowed task goes on, and what is done once that is recorded. */
    public record Next(Phase phase, Runnable goOn) {}

    private final Vertx vertx;
    private final TaskRecord record;
    private final ToolTaskSpawned spec;
    private final Verdict.Ask asked;
    private final Supplier<Next> whenAllowed;
    private final BiConsumer<String, Actor> whenDenied;
    private long timer = -1;
    private boolean open = true;

    /**
     * @param whenAllowed takes a place, and says how it goes on by that
     * @param whenDenied told why, and by whom
     */
    SpawnApproval(
            Vertx vertx,
            TaskRecord record,
            ToolTaskSpawned spec,
            Verdict.Ask asked,
            Supplier<Next> whenAllowed,
            BiConsumer<String, Actor> whenDenied) {
        this.vertx = vertx;
        this.record = record;
        this.spec = spec;
        this.asked = asked;
        this.whenAllowed = whenAllowed;
        this.whenDenied = whenDenied;
    }

    void ask() {
        record.write(ToolTaskStatus.awaiting(asked.question(), Cause.POLICY, Actor.POLICY));
        timer = vertx.setTimer(
                asked.withinMs(),
                late -> answer(false, "nobody answered within " + asked.withinMs() + " ms", Actor.SERVER));
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void withdraw() {
        open = false;
        vertx.cancelTimer(timer);
    }

    /** Completes when the answer is recorded. */
    Future<Frame> answer(boolean allowed, String reason, Actor by) {
        withdraw();
        Future<Frame> recorded = record.write(new TaskPolicyVerdict(
                Operation.SPAWN.wireName(),
                allowed ? TaskPolicyVerdict.Verdict.ALLOW : TaskPolicyVerdict.Verdict.DENY,
                asked.rule(),
                reason,
                spec.actor(),
                allowed ? asked.budgets() : Budgets.NONE,
                by));
        if (allowed) {
            Next next = whenAllowed.get();
            record.write(new ToolTaskStatus(next.phase(), null, null, null, List.of(), null, null, Cause.POLICY, by));
            next.goOn().run();
        } else {
            whenDenied.accept("denied by " + by + ": " + reason, by);
        }
        return recorded;
    }
}
