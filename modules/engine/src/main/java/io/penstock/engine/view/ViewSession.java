package io.penstock.engine.view;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows a task's frames, history then live, in batches, each when there is room for it. Nothing is kept for an audience that does not
 * keep up but the place where it is: its follower waits, and nobody else's. Lives on the context on which it is made.
 */
public final class ViewSession<M> {

    /**
     * How much is shown at once.
     *
     * @param frames that are held before no more are taken
     * @param bytes a batch ends with the frame that makes it as heavy as this
     */
    public record BatchLimits(int frames, int bytes) {
        public BatchLimits {
            if (frames < 1 || bytes < 1) {
                throw new IllegalArgumentException(
                        "A batch has at least a frame and a byte, not " + frames + ", " + bytes);
            }
        }

        /** Wherever one began: so all who are shown the same frames come to make the same batches of them. */
        boolean endWith(Frame frame) {
            return (frame.seq() + 1) % frames == 0
                    || frame.body() instanceof ToolTaskOutputDelta delta
                            && delta.offset() / bytes < (delta.offset() + delta.bytes()) / bytes;
        }
    }

    /** Where the frames come from. */
    public interface Source {
        FrameFollower follow(String taskId, long fromSeq);
    }

    /** What has just happened is in memory, and a few pieces of it take less time than the way to a worker. */
    private static final int AT_ONCE = 4;

    /** When nothing more comes, an audience that has no room may take so long for what is there already. */
    private static final long LAST_WORDS_MS = 3_000;

    private final Vertx vertx;
    private final Source source;
    private final Context context;
    private final FollowRange following;
    private final BatchLimits batches;
    private final ViewSink<M> audience;
    private final SharedBatches<M> shared;
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
    private FrameFollower follower;

    /** What comes behind those that wait. */
    private long followedTo;

    private long border = Long.MAX_VALUE;
    private Runnable atBorder = () -> {};
    private boolean turnAwaited;
    private boolean reading;
    private boolean heldUp;
    private boolean nothingMoreComes;
    private boolean over;

    /** @param shared with others of the same language and the same limits of batches */
    public ViewSession(
            Vertx vertx,
            Source source,
            FollowRange following,
            BatchLimits batches,
            SharedBatches<M> shared,
            ViewSink<M> audience) {
        this.vertx = vertx;
        this.source = source;
        this.context = vertx.getOrCreateContext();
        this.following = following;
        this.batches = batches;
        this.shared = shared;
        this.audience = audience;
        this.followedTo = following.fromSeq();
        this.follower = source.follow(following.taskId(), followedTo);
    }

    public void start() {
        if (following.isOver()) {
            audience.ended();
            return;
        }
        follow();
    }

    private void follow() {
        follower.exceptionHandler(this::fail);
        follower.endHandler(closed -> {
            nothingMoreComes = true;
            advance();
            if (!over) {
                vertx.setTimer(LAST_WORDS_MS, late -> orFail(this::close));
            }
        });
        follower.outageHandler((why, forMs) -> orFail(() -> delayed(why, forMs)));
        follower.handler(this::add);
    }

    private void delayed(Throwable why, long forMs) {
        if (!over) {
            audience.delayed(why, forMs);
        }
    }

    private void close() {
        if (!over) {
            audience.closed();
        }
    }

    /** Nothing more is shown. On its context. */
    public void stop() {
        if (!over) {
            over = true;
            waiting.clear();
            follower.cancel();
        }
    }

    /**
     * Between this frame, which may have been shown already if it was the last, and the next, something else is done. On its context.
     *
     * @param frames those from {@link #nextSeq} up to there that are to be shown, so that the others are not even read; null for all
     */
    public void skipTo(@Nullable List<Frame> frames, long seq, Runnable something) {
        border = seq;
        atBorder = something;
        if (frames == null || seq < followedTo || nothingMoreComes) {
            return;
        }
        waiting.clear();
        waiting.addAll(frames);
        followedTo = seq + 1;
        FrameFollower before = follower;
        before.pause();
        follower = source.follow(following.taskId(), followedTo);
        follow();
        // Not earlier: the newest frames are kept in memory as long as somebody follows.
        before.cancel();
    }

    /** The frame that would be shown next. On its context. */
    public long nextSeq() {
        Frame next = waiting.peek();
        return next == null ? followedTo : next.seq();
    }

    private void add(Frame frame) {
        if (over) {
            return;
        }
        waiting.add(frame);
        followedTo = frame.seq() + 1;
        if (waiting.size() >= batches.frames()) {
            follower.pause();
        }
        if (!turnAwaited) {
            // After all frames that there are now: one batch for all of them.
            turnAwaited = true;
            context.runOnContext(now -> {
                turnAwaited = false;
                advance();
            });
        }
    }

    /** One batch after the other, as long as there is room. On its context. */
    public void advance() {
        orFail(this::sendBatches);
    }

    /** Whatever fails is told: an audience that is left without a word would wait for ever. */
    private void orFail(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void sendBatches() {
        while (!over && !reading) {
            if (!audience.hasRoom()) {
                heldUp = true;
                follower.pause();
                return;
            }
            if (nextSeq() > border) {
                border = Long.MAX_VALUE;
                atBorder.run();
                continue;
            }
            if (waiting.isEmpty()) {
                if (nothingMoreComes) {
                    audience.closed();
                } else {
                    follower.resume();
                }
                return;
            }
            boolean afterAWhile = heldUp;
            heldUp = false;
            audience.beforeBatch(waiting.element(), afterAWhile);
            if (over || reading || !audience.hasRoom()) {
                continue;
            }
            List<Frame> batch = nextBatch();
            if (!batch.isEmpty()) {
                send(batch);
            }
        }
    }

    private void send(List<Frame> batch) {
        long first = batch.getFirst().seq();
        long last = batch.getLast().seq();
        // What is left out between them, others may be shown.
        boolean whole = last - first == batch.size() - 1;
        Future<M> messages = whole ? shared.find(first, last) : null;
        if (messages == null) {
            messages = encode(batch);
            if (whole) {
                shared.put(first, last, messages);
            }
        }
        if (messages.isComplete()) {
            encoded(batch, messages);
            return;
        }
        reading = true;
        messages.onComplete(there -> context.runOnContext(here -> {
            reading = false;
            orFail(() -> encoded(batch, there));
            advance();
        }));
    }

    private Future<M> encode(List<Frame> batch) {
        if (batch.size() > AT_ONCE) {
            // History: its bytes may have to come from a disk, and nobody else is to wait for that.
            return vertx.executeBlocking(() -> audience.encode(batch), false).map(Objects::requireNonNull);
        }
        try {
            return Future.succeededFuture(audience.encode(batch));
        } catch (IOException | RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }

    private void encoded(List<Frame> batch, AsyncResult<M> messages) {
        if (over) {
            return;
        }
        if (messages.failed()) {
            audience.failed(messages.cause());
            return;
        }
        audience.write(batch, messages.result());
        if (!over && following.endsWith(batch.getLast())) {
            audience.ended();
        }
    }

    /** Up to the last that is to be shown, and not many more bytes than fit into one write; others' end at the same places. */
    private List<Frame> nextBatch() {
        var batch = new ArrayList<Frame>();
        int bytes = 0;
        boolean goesOn = true;
        while (goesOn && !waiting.isEmpty() && nextSeq() <= border) {
            Frame frame = waiting.remove();
            if (audience.wants(frame)) {
                batch.add(frame);
                bytes += audience.weigh(frame);
            }
            goesOn = bytes < batches.bytes() && !batches.endWith(frame);
            if (following.endsWith(frame)) {
                waiting.clear();
            }
        }
        return batch;
    }

    private void fail(Throwable why) {
        if (!over) {
            audience.failed(why);
        }
    }
}
