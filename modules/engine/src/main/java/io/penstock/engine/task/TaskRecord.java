package io.penstock.engine.task;

import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What has happened to a task, being written: each frame is folded before it goes to the log, so one that cannot come next is
 * never recorded. What is known in part only as yet keeps its place, and what follows waits behind it. Lives on its shard's context.
 */
public final class TaskRecord {

    /** So many frames may wait before nothing is begun that adds more: what a drain and the end add has room above. */
    private static final int CROWDED = Limits.WAITING_APPENDS_PER_STREAM / 4;

    /** One may still be on its way to the disk while the next is read. */
    private static final int UNKNOWN_AHEAD = 2;

    /** One or more frames in their place; without bodies until those are known. */
    private static final class FrameSlot {
        private final Promise<Frame> last = Promise.promise();
        private @Nullable List<? extends FrameBody> bodies;
    }

    private final StreamWriter writer;
    private final LongSupplier clockMs;
    private final ArrayDeque<FrameSlot> places = new ArrayDeque<>();
    private TaskState given;
    private TaskState reached;
    private volatile TaskState accepted;
    private int waiting;
    private long waitingSinceNanos;
    private Runnable whenNoneWait = () -> {};
    private @Nullable Throwable broken;

    public TaskRecord(StreamWriter writer, LongSupplier clockMs, TaskState reached) {
        this.writer = writer;
        this.clockMs = clockMs;
        this.given = reached;
        this.reached = reached;
        this.accepted = reached;
    }

    StreamId stream() {
        return writer.stream();
    }

    /** After all that has happened, some of which may not be known to the byte yet. What to do next is decided by it. */
    TaskState reached() {
        return reached;
    }

    /** After all frames that the log has accepted. What others are told is decided by it. */
    TaskState accepted() {
        return accepted;
    }

    /** Whether the log or the disk holds frames back: then whoever makes them should pause. */
    boolean isHeldBack() {
        return waiting > 0 || places.size() >= UNKNOWN_AHEAD;
    }

    /** Whether so many are held back that whoever can should not add to them. */
    boolean isCrowded() {
        return waiting + places.size() >= CROWDED;
    }

    /** What is said to whoever would add to them. */
    Failure noRoom() {
        return new Failure(
                FailureCode.LOG_BACKLOGGED,
                "The log has no room to record this, so it was not done; try again when it has");
    }

    /** For how long frames have been held back without a break. */
    long heldBackMs() {
        return nothingWaits() ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - waitingSinceNanos);
    }

    private boolean nothingWaits() {
        return waiting == 0 && places.isEmpty();
    }

    /** Run each time nothing is held back any more. */
    void whenNoneWait(Runnable listener) {
        whenNoneWait = listener;
    }

    /** Why nothing can be recorded any more, or null. */
    @Nullable
    Throwable broken() {
        return broken;
    }

    public long now() {
        return clockMs.getAsLong();
    }

    /** Records the frame; completes when it is accepted. */
    public Future<Frame> write(FrameBody body) {
        if (places.isEmpty()) {
            Future<Frame> recorded = append(body);
            reached = given;
            return recorded;
        }
        reached = after(reached, body);
        return keepPlace(List.of(body)).last.future();
    }

    /**
     * Keeps the place of frames that will be known.
     *
     * @param expected what the first of them will say but for what is not known yet
     */
    void write(FrameBody expected, Future<? extends List<? extends FrameBody>> known) {
        reached = after(reached, expected);
        FrameSlot place = keepPlace(null);
        known.onComplete(done -> {
            if (done.failed()) {
                broken = done.cause();
            }
            place.bodies = done.succeeded() ? done.result() : List.of();
            fillPlaces();
        });
    }

    private FrameSlot keepPlace(@Nullable List<? extends FrameBody> bodies) {
        if (nothingWaits()) {
            waitingSinceNanos = System.nanoTime();
        }
        var place = new FrameSlot();
        place.bodies = bodies;
        places.add(place);
        return place;
    }

    private void fillPlaces() {
        boolean was = isHeldBack();
        for (FrameSlot first = places.peek(); first != null && first.bodies != null; first = places.peek()) {
            places.remove();
            giveAll(first.bodies).onComplete(first.last);
        }
        if (places.isEmpty()) {
            reached = given;
        }
        if (was && !isHeldBack()) {
            whenNoneWait.run();
        }
    }

    private Future<Frame> giveAll(List<? extends FrameBody> bodies) {
        Throwable why = broken;
        Future<Frame> recorded = why == null ? Future.succeededFuture() : Future.failedFuture(why);
        for (FrameBody body : bodies) {
            recorded = append(body);
        }
        return recorded;
    }

    private TaskState after(TaskState state, FrameBody body) {
        return state.after(new Frame(writer.stream(), state.nextSeq(), now(), body));
    }

    private Future<Frame> append(FrameBody body) {
        Throwable why = broken;
        if (why != null) {
            // One is missing, so what comes behind it would not be what happened.
            return Future.failedFuture(why);
        }
        long now = now();
        TaskState next = given.after(new Frame(writer.stream(), given.nextSeq(), now, body));
        Future<Frame> appended = writer.append(now, body);
        given = next;
        if (appended.succeeded()) {
            accepted = next;
            return appended;
        }
        if (nothingWaits()) {
            waitingSinceNanos = System.nanoTime();
        }
        waiting++;
        Promise<Frame> promise = Promise.promise();
        appended.onComplete(done -> {
            waiting--;
            if (done.succeeded()) {
                accepted = next;
            } else {
                broken = done.cause();
            }
            promise.handle(done);
            if (!isHeldBack()) {
                whenNoneWait.run();
            }
        });
        return promise.future();
    }

    public void close() {
        writer.close();
    }
}
