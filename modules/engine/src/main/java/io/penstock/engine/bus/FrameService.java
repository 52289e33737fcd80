package io.penstock.engine.bus;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one follower its pages, each when it has replied to the one before. Lives on the context it is begun on. */
final class FrameService {

    /** A consumer that has not replied to a page by then is gone, or may come back and say where it stands. */
    static final int PATIENCE_SECONDS = 60;

    private static final Logger log = LoggerFactory.getLogger(FrameService.class);

    private static final DeliveryOptions PAGE =
            new DeliveryOptions().setLocalOnly(true).setSendTimeout(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));

    private final Vertx vertx;
    private final Context context;
    private final FollowFrames wanted;
    private final TaskState known;
    private final FrameFollower follower;
    private List<Frame> gathered = new ArrayList<>();
    private boolean sending;
    private boolean sendAwaited;
    private boolean last;
    private boolean over;

    private FrameService(Vertx vertx, TaskApi tasks, FollowFrames wanted, TaskState known, long fromSeq) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.wanted = wanted;
        this.known = known;
        this.follower = tasks.follow(wanted.taskId(), fromSeq);
    }

    /** @param known the task's state at this moment */
    static void begin(Vertx vertx, TaskApi tasks, FollowFrames wanted, TaskState known) {
        long fromSeq = wanted.fromSeq() == null ? known.nextSeq() : wanted.fromSeq();
        if (fromSeq > known.nextSeq()) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + wanted.taskId() + " has no frame " + (fromSeq - 1) + " to go on after; its next is "
                            + known.nextSeq());
        }
        new FrameService(vertx, tasks, wanted, known, fromSeq).begin(fromSeq);
    }

    private void begin(long fromSeq) {
        if (wanted.untilEnd() && known.run().ending() != null && fromSeq == known.nextSeq()) {
            last = true;
            send();
            return;
        }
        follower.exceptionHandler(broken -> {
            log.warn("The frames of task {} cannot be sent on: {}", wanted.taskId(), String.valueOf(broken));
            stop();
        });
        follower.endHandler(closed -> {
            last = true;
            sendSoon();
        });
        follower.handler(this::take);
    }

    private void take(Frame frame) {
        if (over || last) {
            return;
        }
        gathered.add(frame);
        last = wanted.untilEnd() && isLast(frame);
        if (last || gathered.size() == Limits.PAGE_FRAMES) {
            follower.pause();
        }
        sendSoon();
    }

    /** An end that is history already need not be the last: a later run may have begun. */
    private boolean isLast(Frame frame) {
        return known.run().ending() != null
                ? frame.seq() >= known.nextSeq() - 1
                : frame.seq() >= known.nextSeq()
                        && frame.body() instanceof ToolTaskStatus status
                        && status.ending() != null;
    }

    /** After all frames that there are now: one page for all of them. */
    private void sendSoon() {
        if (!sendAwaited) {
            sendAwaited = true;
            context.runOnContext(now -> {
                sendAwaited = false;
                send();
            });
        }
    }

    private void send() {
        if (sending || over || (gathered.isEmpty() && !last)) {
            return;
        }
        sending = true;
        var page = new FramePage(wanted.taskId(), gathered, last);
        gathered = new ArrayList<>();
        vertx.eventBus().request(wanted.address(), page, PAGE).onComplete(replied -> {
            sending = false;
            if (replied.failed() || page.last()) {
                stop();
            } else {
                follower.resume();
                send();
            }
        });
    }

    private void stop() {
        over = true;
        follower.cancel();
    }
}
