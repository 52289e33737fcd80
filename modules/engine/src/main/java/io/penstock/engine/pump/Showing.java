package io.penstock.engine.pump;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.Frame;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows a task's frames, history then live, in batches, each when there is room for it. Nothing is kept for an audience that does not
 * keep up but the place where it is: its follower waits, and nobody else's. Lives on the context on which it is made.
 */
public final class Showing<M> {

    /**
     * @param frames that are held before no more are taken
     * @param bytes a batch ends with the frame that makes it as heavy as this
     */
    public record Batches(int frames, int bytes) {
        public Batches {
            if (frames < 1 || bytes < 1) {
                throw new IllegalArgumentException(
                        "A batch has at least a frame and a byte, not " + frames + ", " + bytes);
            }
        }
    }

    /** What has just happened is in memory, and a few pieces of it take less time than the way to a worker. */
    private static final int AT_ONCE = 4;

    private final Vertx vertx;
    private final Context context;
    private final Following following;
    private final Batches batches;
    private final Audience<M> audience;
    private final FrameFollower follower;
    private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
    private long nextSeq;
    private long border = Long.MAX_VALUE;
    private Runnable atBorder = () -> {};
    private boolean turnAwaited;
    private boolean reading;
    private boolean withoutRoom;
    private boolean nothingMoreComes;
    private boolean over;

    public Showing(Vertx vertx, TaskApi tasks, Following following, Batches batches, Audience<M> audience) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.following = following;
        this.batches = batches;
        this.audience = audience;
        this.nextSeq = following.fromSeq();
        this.follower = tasks.follow(following.taskId(), nextSeq);
    }

    public void begin() {
        if (following.isOver()) {
            audience.ended();
            return;
        }
        follower.exceptionHandler(this::breakOff);
        follower.endHandler(closed -> {
            nothingMoreComes = true;
            goOn();
        });
        follower.handler(this::add);
    }

    /** Nothing more is shown. On its context. */
    public void stop() {
        if (!over) {
            over = true;
            waiting.clear();
            follower.cancel();
        }
    }

    /** Between this frame, which may have been shown already if it was the last, and the next, something else is done. On its context. */
    public void after(long seq, Runnable something) {
        border = seq;
        atBorder = something;
    }

    private void add(Frame frame) {
        if (over) {
            return;
        }
        waiting.add(frame);
        if (waiting.size() >= batches.frames()) {
            follower.pause();
        }
        if (!turnAwaited) {
            // After all frames that there are now: one batch for all of them.
            turnAwaited = true;
            context.runOnContext(now -> {
                turnAwaited = false;
                goOn();
            });
        }
    }

    /** One batch after the other, as long as there is room. On its context. */
    public void goOn() {
        while (!over && !reading) {
            if (!audience.hasRoom()) {
                withoutRoom = true;
                follower.pause();
                return;
            }
            if (nextSeq > border) {
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
            if (withoutRoom) {
                withoutRoom = false;
                audience.goesOnWith(waiting.element());
                continue;
            }
            List<Frame> batch = nextBatch();
            if (!batch.isEmpty()) {
                show(batch);
            }
        }
    }

    private void show(List<Frame> batch) {
        if (batch.size() <= AT_ONCE) {
            try {
                write(batch, audience.messages(batch));
            } catch (IOException | RuntimeException e) {
                breakOff(e);
            }
            return;
        }
        // History: its bytes may have to come from a disk, and nobody else is to wait for that.
        reading = true;
        vertx.executeBlocking(() -> audience.messages(batch), false).onComplete(read -> {
            reading = false;
            M messages = read.result();
            if (messages == null) {
                breakOff(read.cause());
            } else if (!over) {
                write(batch, messages);
                goOn();
            }
        });
    }

    private void write(List<Frame> batch, M messages) {
        audience.write(batch, messages);
        if (!over && following.endsWith(batch.getLast())) {
            audience.ended();
        }
    }

    /** Up to the last that is to be shown, and not many more bytes than fit into one write. */
    private List<Frame> nextBatch() {
        var batch = new ArrayList<Frame>();
        int bytes = 0;
        while (!waiting.isEmpty() && bytes < batches.bytes() && nextSeq <= border) {
            Frame frame = waiting.remove();
            nextSeq = frame.seq() + 1;
            if (audience.shows(frame)) {
                batch.add(frame);
                bytes += audience.bytesOf(frame);
            }
            if (following.endsWith(frame)) {
                waiting.clear();
            }
        }
        return batch;
    }

    private void breakOff(Throwable why) {
        if (!over) {
            audience.brokeOff(why);
        }
    }
}
