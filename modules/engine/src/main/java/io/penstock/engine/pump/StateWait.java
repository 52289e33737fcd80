package io.penstock.engine.pump;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskResourceUsage;
import io.penstock.frames.TaskState;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits until a task's state meets a condition, or until the time is up. It follows the frames from the first one after the state at the
 * start, so it misses none. Lives on the context of its caller; only {@link #cancel} may be called from elsewhere.
 */
public final class StateWait {

    private final Context context;
    private final Predicate<TaskState> enough;
    private final Promise<TaskState> answer = Promise.promise();
    private @Nullable TaskState state;
    private boolean cancelled;

    StateWait(Vertx vertx, Predicate<TaskState> enough) {
        this.context = vertx.getOrCreateContext();
        this.enough = enough;
    }

    /** Completes with the state, whether it meets the condition or not, on the caller's context. */
    public Future<TaskState> state() {
        return answer.future();
    }

    /** Completes it with the state at this moment: nobody waits any more. */
    public void cancel() {
        context.runOnContext(turn -> {
            cancelled = true;
            if (state != null) {
                answer.tryComplete(state);
            }
        });
    }

    StateWait start(Future<TaskState> first, TaskApi tasks, String taskId, long waitMs) {
        first.onComplete(known -> context.runOnContext(turn -> {
            if (known.failed()) {
                answer.fail(known.cause());
                return;
            }
            state = known.result();
            if (cancelled || waitMs <= 0 || enough.test(known.result())) {
                answer.complete(known.result());
            } else {
                follow(tasks.follow(taskId, known.result().nextSeq()), waitMs);
            }
        }));
        return this;
    }

    private void follow(FrameFollower follower, long waitMs) {
        long timer = context.owner().setTimer(waitMs, up -> answer.tryComplete(now()));
        answer.future().onComplete(done -> {
            context.owner().cancelTimer(timer);
            follower.cancel();
        });
        follower.exceptionHandler(answer::tryFail);
        follower.endHandler(closed -> answer.tryComplete(now()));
        follower.handler(this::add);
    }

    private TaskState now() {
        return Objects.requireNonNull(state, "it follows from a known state");
    }

    private void add(Frame frame) {
        try {
            state = now().after(frame);
            // A measurement changes nothing that anybody waits for.
            if (!(frame.body() instanceof TaskResourceUsage) && enough.test(now())) {
                answer.tryComplete(now());
            }
        } catch (RuntimeException e) {
            answer.tryFail(e);
        }
    }
}
