package io.penstock.engine.task.record;

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
 * The writer of a task's frames. Each frame is folded before it goes to the log, so an impossible one is never recorded. A frame
 * that is not completely known yet keeps its place, and later frames wait behind it. Lives on its shard's context.
 */
public final class TaskRecord {

    /** Pending frames at which new operations are refused; a drain and the end of the task still have room above. */
    private static final int CROWDED = Limits.WAITING_APPENDS_PER_STREAM / 4;

    /** One piece of output may be on its way to the disk while the next is read. */
    private static final int UNKNOWN_AHEAD = 2;

    /** Is notified of frames in their order. */
    public interface Listener {

        /**
         * The frame has its place in the log. The listener must not write.
         *
         * @param after the state after it
         */
        void given(TaskState after, FrameBody body);
    }

    /** The place of one or more frames; without bodies until they are known. */
    private static final class FrameSlot {
        private final Promise<Frame> last = Promise.promise();
        private final FrameBody expected;
        private @Nullable List<? extends FrameBody> bodies;

        private FrameSlot(FrameBody expected) {
            this.expected = expected;
        }
    }

    private final StreamWriter writer;
    private final LongSupplier clockMs;
    private final ArrayDeque<FrameSlot> slots = new ArrayDeque<>();
    private TaskState given;
    private TaskState reached;
    private volatile TaskState accepted;
    private int waiting;
    private long waitingSinceNanos;
    private Runnable whenNoneWait = () -> {};
    private Listener listener = (after, body) -> {};
    private @Nullable Throwable broken;

    public TaskRecord(StreamWriter writer, LongSupplier clockMs, TaskState reached) {
        this.writer = writer;
        this.clockMs = clockMs;
        this.given = reached;
        this.reached = reached;
        this.accepted = reached;
    }

    public StreamId stream() {
        return writer.stream();
    }

    /** The state after everything that has happened, including frames that are not completely known. Decisions are based on it. */
    public TaskState reached() {
        return reached;
    }

    /** The state after all frames that the log has accepted, which others may see. */
    public TaskState accepted() {
        return accepted;
    }

    /** Whether the log or the disk holds frames back, so the source of frames should pause. */
    public boolean isHeldBack() {
        return waiting > 0 || slots.size() >= UNKNOWN_AHEAD;
    }

    /** Whether the number of frames held back requires new operations to be refused. */
    public boolean isCrowded() {
        return waiting + slots.size() >= CROWDED;
    }

    /** The refusal of an operation while the record is crowded. */
    public Failure noRoom() {
        return new Failure(
                FailureCode.LOG_BACKLOGGED,
                "The log has no room to record this, so it was not done; try again when it has");
    }

    /** How long frames have been held back without a break. */
    public long heldBackMs() {
        return isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - waitingSinceNanos);
    }

    private boolean isEmpty() {
        return waiting == 0 && slots.isEmpty();
    }

    /** Runs the listener each time frames are no longer held back. */
    public void whenNoneWait(Runnable listener) {
        whenNoneWait = listener;
    }

    public void whenGiven(Listener toNotify) {
        listener = toNotify;
    }

    /** Why recording is no longer possible, or null. */
    @Nullable
    public Throwable broken() {
        return broken;
    }

    public long now() {
        return clockMs.getAsLong();
    }

    /** Records the frame; completes when it is accepted. */
    public Future<Frame> write(FrameBody body) {
        if (slots.isEmpty()) {
            Future<Frame> recorded = append(body);
            reached = given;
            return recorded;
        }
        reached = after(reached, body);
        return addSlot(body, List.of(body)).last.future();
    }

    /**
     * Keeps the place of frames that are not known yet.
     *
     * @param expected the first of them, as far as it is known
     */
    public void write(FrameBody expected, Future<? extends List<? extends FrameBody>> known) {
        reached = after(reached, expected);
        FrameSlot slot = addSlot(expected, null);
        known.onComplete(done -> {
            if (done.failed()) {
                broken = done.cause();
            }
            slot.bodies = done.succeeded() ? done.result() : List.of();
            flushSlots();
        });
    }

    private FrameSlot addSlot(FrameBody expected, @Nullable List<? extends FrameBody> bodies) {
        if (isEmpty()) {
            waitingSinceNanos = System.nanoTime();
        }
        var slot = new FrameSlot(expected);
        slot.bodies = bodies;
        slots.add(slot);
        return slot;
    }

    private void flushSlots() {
        boolean was = isHeldBack();
        boolean asExpected = true;
        for (FrameSlot first = slots.peek(); first != null && first.bodies != null; first = slots.peek()) {
            slots.remove();
            asExpected &= first.bodies.size() == 1;
            appendAll(first.bodies).onComplete(first.last);
        }
        if (slots.isEmpty()) {
            reached = given;
        } else if (!asExpected && broken == null) {
            reached = given;
            slots.forEach(slot -> reached = after(reached, slot.expected));
        }
        if (was && !isHeldBack()) {
            whenNoneWait.run();
        }
    }

    private Future<Frame> appendAll(List<? extends FrameBody> bodies) {
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
            // A frame is missing, so a later one would not be a true record.
            return Future.failedFuture(why);
        }
        long now = now();
        TaskState next = given.after(new Frame(writer.stream(), given.nextSeq(), now, body));
        Future<Frame> appended = writer.append(now, body);
        given = next;
        if (appended.succeeded()) {
            accepted = next;
            listener.given(next, body);
            return appended;
        }
        if (isEmpty()) {
            waitingSinceNanos = System.nanoTime();
        }
        waiting++;
        listener.given(next, body);
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
