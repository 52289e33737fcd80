package io.penstock.server.http;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.DeltaReader;
import io.penstock.engine.pump.EncodedTail;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.server.failure.HttpLimits;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task's frames as server-sent events, history then live. Nothing is kept for a viewer who does not keep up but the place where
 * it is: its follower waits, and nobody else's. Lives on the request's context.
 */
final class EventStream {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    /** Often enough for proxies that close what is silent for half a minute. */
    private static final long HEARTBEAT_MS = 15_000;

    /** What browsers wait before they come back by themselves. */
    private static final String OPENING = "retry: 1000\n\n";

    private static final String HEARTBEAT = ":\n\n";

    private final Vertx vertx;
    private final Context context;
    private final HttpServerResponse response;
    private final String taskId;
    private final TaskState known;
    private final boolean untilEnd;
    private final DeltaReader text;
    private final FrameFollower follower;
    private final TaskApi tasks;
    private final EncodedTail tail;
    private Buffer gathered = Buffer.buffer();
    private boolean writeAwaited;
    private boolean over;
    private long heartbeat;

    private EventStream(
            RoutingContext request, TaskApi tasks, String taskId, TaskState known, long fromSeq, boolean untilEnd) {
        this.vertx = request.vertx();
        this.context = vertx.getOrCreateContext();
        this.response = request.response();
        this.taskId = taskId;
        this.known = known;
        this.untilEnd = untilEnd;
        this.text = tasks.deltaReader();
        this.follower = tasks.follow(taskId, fromSeq);
        this.tasks = tasks;
        this.tail = tasks.joinTail(taskId);
        ToolTaskSpawned spec = known.spec();
        if (spec != null) {
            text.spec(spec);
        }
    }

    /**
     * Answers the request with a stream.
     *
     * @param known the task's state at this moment
     * @param untilEnd whether to close after the frame that tells the end
     */
    static void open(
            RoutingContext request, TaskApi tasks, String taskId, TaskState known, long fromSeq, boolean untilEnd) {
        if (fromSeq > known.nextSeq()) {
            throw JsonFields.wrong("The task " + taskId + " has no frame " + (fromSeq - 1)
                    + " to go on after; its next is " + known.nextSeq());
        }
        new EventStream(request, tasks, taskId, known, fromSeq, untilEnd).begin(fromSeq);
    }

    private void begin(long fromSeq) {
        response.setChunked(true)
                .putHeader("content-type", "text/event-stream")
                .putHeader("cache-control", "no-store")
                .putHeader("x-content-type-options", "nosniff")
                // Some proxies gather answers unless told not to.
                .putHeader("x-accel-buffering", "no");
        response.write(OPENING);
        if (untilEnd && known.run().ending() != null && fromSeq == known.nextSeq()) {
            end();
            return;
        }
        heartbeat = vertx.setPeriodic(HEARTBEAT_MS, beat -> {
            if (!response.writeQueueFull()) {
                response.write(HEARTBEAT);
            }
        });
        response.closeHandler(closed -> stop());
        response.exceptionHandler(broken -> stop());
        follower.exceptionHandler(this::breakOff);
        follower.endHandler(closed -> end());
        follower.handler(this::show);
    }

    private void show(Frame frame) {
        if (over) {
            return;
        }
        try {
            gathered.appendString("id: " + frame.seq() + "\ndata: ")
                    .appendBytes(json(frame))
                    .appendString("\n\n");
        } catch (IOException | RuntimeException e) {
            breakOff(e);
            return;
        }
        if (untilEnd && isLast(frame)) {
            end();
        } else if (gathered.length() >= HttpLimits.EVENT_BATCH_BYTES) {
            write();
        } else if (!writeAwaited) {
            // After all frames that there are now: one write for all of them.
            writeAwaited = true;
            context.runOnContext(now -> write());
        }
    }

    /** Pieces of output take a read of their file, so they are shared with the other viewers. */
    private byte[] json(Frame frame) throws IOException {
        if (!(frame.body() instanceof ToolTaskOutputDelta)) {
            return FrameJson.toBytes(withText(frame));
        }
        byte[] known = tail.find(frame.seq());
        if (known != null) {
            return known;
        }
        byte[] json = FrameJson.toBytes(withText(frame));
        tail.keep(frame.seq(), json);
        return json;
    }

    private Frame withText(Frame frame) throws IOException {
        try {
            return text.withText(frame);
        } catch (Failure e) {
            if (e.code() == FailureCode.ARTIFACT_NOT_FOUND) {
                // Its output was deleted; that it happened is still told.
                return frame;
            }
            throw e;
        }
    }

    /** An end that is history already need not be the last: a later run may have begun. */
    private boolean isLast(Frame frame) {
        return known.run().ending() != null
                ? frame.seq() >= known.nextSeq() - 1
                : frame.seq() >= known.nextSeq()
                        && frame.body() instanceof ToolTaskStatus status
                        && status.ending() != null;
    }

    private void write() {
        writeAwaited = false;
        if (over || gathered.length() == 0) {
            return;
        }
        response.write(gathered);
        gathered = Buffer.buffer();
        if (response.writeQueueFull()) {
            follower.pause();
            response.drainHandler(drained -> follower.resume());
        }
    }

    private void end() {
        if (!over) {
            stop();
            response.end(gathered);
        }
    }

    /** The stream ends without its end, which is how a viewer knows that it should come back for the rest. */
    private void breakOff(Throwable why) {
        if (!over) {
            log.warn("The events of task {} broke off: {}", taskId, String.valueOf(why));
            stop();
            response.reset();
        }
    }

    private void stop() {
        if (!over) {
            tasks.leaveTail(taskId);
        }
        over = true;
        vertx.cancelTimer(heartbeat);
        follower.cancel();
    }
}
