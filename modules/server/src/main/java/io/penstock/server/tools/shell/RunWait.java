package io.penstock.server.tools.shell;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Predicate;

/** Waits until a run's state is as wanted, or the time is up; follows the frames from the one after a known state. */
final class RunWait {

    private final Predicate<TaskState> wanted;
    private final Promise<TaskState> answer = Promise.promise();
    private TaskState state;

    private RunWait(TaskState state, Predicate<TaskState> wanted) {
        this.state = state;
        this.wanted = wanted;
    }

    /** Completes with the state then, as wanted or not. */
    static Future<TaskState> until(
            Vertx vertx, TaskApi tasks, String runId, TaskState known, long waitMs, Predicate<TaskState> wanted) {
        return waitMs <= 0 || wanted.test(known)
                ? Future.succeededFuture(known)
                : new RunWait(known, wanted).start(vertx, tasks.follow(runId, known.nextSeq()), waitMs);
    }

    private Future<TaskState> start(Vertx vertx, FrameFollower follower, long waitMs) {
        long timer = vertx.setTimer(waitMs, up -> answer.tryComplete(state));
        follower.exceptionHandler(answer::tryFail);
        follower.endHandler(closed -> answer.tryComplete(state));
        follower.handler(this::add);
        return answer.future().onComplete(done -> {
            vertx.cancelTimer(timer);
            follower.cancel();
        });
    }

    private void add(Frame frame) {
        try {
            state = state.after(frame);
            if (wanted.test(state)) {
                answer.tryComplete(state);
            }
        } catch (RuntimeException e) {
            answer.tryFail(e);
        }
    }
}
