package io.penstock.engine.pump;

import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to a task, being written: each frame is folded before it goes to the log, so one that cannot come next is
 * never recorded. Lives on its shard's context.
 */
final class TaskRecord {

    /** So many frames may wait before nothing is begun that adds more: what a drain and the end add has room above. */
    private static final int CROWDED = Limits.WAITING_APPENDS_PER_STREAM / 4;

    private final StreamWriter writer;
    private final LongSupplier clockMs;
    private TaskState reached = TaskState.ABSENT;
    private volatile TaskState accepted = TaskState.ABSENT;
    private int waiting;
    private long waitingSinceNanos;
    private Runnable whenNoneWait = () -> {};
    private @Nullable Throwable broken;

    TaskRecord(StreamWriter writer, LongSupplier clockMs, TaskState reached) {
        this.writer = writer;
        this.clockMs = clockMs;
        this.reached = reached;
        this.accepted = reached;
    }

    StreamId stream() {
        return writer.stream();
    }

    /** After all frames that were given to the log. What to do next is decided by it. */
    TaskState reached() {
        return reached;
    }

    /** After all frames that the log has accepted. What others are told is decided by it. */
    TaskState accepted() {
        return accepted;
    }

    /** Whether the log holds frames back: then whoever makes them should pause. */
    boolean isHeldBack() {
        return waiting > 0;
    }

    /** Whether so many are held back that whoever can should not add to them. */
    boolean isCrowded() {
        return waiting >= CROWDED;
    }

    /** For how long the log has held frames back without a break. */
    long heldBackMs() {
        return waiting == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - waitingSinceNanos);
    }

    /** Run each time the log has accepted all that it was given. */
    void whenNoneWait(Runnable listener) {
        whenNoneWait = listener;
    }

    /** Why nothing can be recorded any more, or null. */
    @Nullable
    Throwable broken() {
        return broken;
    }

    long now() {
        return clockMs.getAsLong();
    }

    /** Records the frame; completes when it is accepted. */
    Future<Frame> write(FrameBody body) {
        long now = now();
        TaskState next = reached.after(new Frame(writer.stream(), reached.nextSeq(), now, body));
        Future<Frame> appended = writer.append(now, body);
        reached = next;
        if (appended.succeeded()) {
            accepted = next;
            return appended;
        }
        if (waiting++ == 0) {
            waitingSinceNanos = System.nanoTime();
        }
        Promise<Frame> promise = Promise.promise();
        appended.onComplete(done -> {
            waiting--;
            if (done.succeeded()) {
                accepted = next;
            } else {
                broken = done.cause();
            }
            promise.handle(done);
            if (waiting == 0) {
                whenNoneWait.run();
            }
        });
        return promise.future();
    }

    void close() {
        writer.close();
    }
}
