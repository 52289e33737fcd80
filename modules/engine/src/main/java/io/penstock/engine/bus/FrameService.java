package io.penstock.engine.bus;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.view.FollowRange;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends pages to one follower, each after its reply to the previous one. Runs on the context that it is started on. */
final class FrameService {

    /** A consumer that does not reply within this time counts as gone; it may come back and say where to continue. */
    static final int REPLY_TIMEOUT_SECONDS = 60;

    private static final Logger log = LoggerFactory.getLogger(FrameService.class);

    private static final DeliveryOptions PAGE =
            new DeliveryOptions().setLocalOnly(true).setSendTimeout(TimeUnit.SECONDS.toMillis(REPLY_TIMEOUT_SECONDS));

    private final Vertx vertx;
    private final Context context;
    private final FollowFrames wanted;
    private final FollowRange following;
    private final FrameFollower follower;
    private List<Frame> gathered = new ArrayList<>();
    private boolean sending;
    private boolean sendScheduled;
    private boolean last;
    private boolean stopped;

    private FrameService(Vertx vertx, TaskApi tasks, FollowFrames wanted, FollowRange following) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.wanted = wanted;
        this.following = following;
        this.follower = tasks.follow(wanted.taskId(), following.fromSeq());
    }

    /** @param known the task's state at this moment */
    static void start(Vertx vertx, TaskApi tasks, FollowFrames wanted, TaskState known) {
        long fromSeq = wanted.fromSeq() == null ? known.nextSeq() : wanted.fromSeq();
        var following = new FollowRange(wanted.taskId(), known, fromSeq, wanted.untilEnd());
        new FrameService(vertx, tasks, wanted, following).start();
    }

    private void start() {
        if (following.isOver()) {
            last = true;
            send();
            return;
        }
        follower.exceptionHandler(broken -> {
            log.warn("Cannot send the frames of task {}: {}", wanted.taskId(), String.valueOf(broken));
            last = true;
            sendSoon();
        });
        follower.endHandler(closed -> {
            last = true;
            sendSoon();
        });
        follower.handler(this::onFrame);
    }

    private void onFrame(Frame frame) {
        if (stopped || last) {
            return;
        }
        gathered.add(frame);
        last = following.endsWith(frame);
        if (last || gathered.size() == Limits.PAGE_FRAMES) {
            follower.pause();
        }
        sendSoon();
    }

    /** Sends after all frames available now, to put them into one page. */
    private void sendSoon() {
        if (!sendScheduled) {
            sendScheduled = true;
            context.runOnContext(now -> {
                sendScheduled = false;
                send();
            });
        }
    }

    private void send() {
        if (sending || stopped || (gathered.isEmpty() && !last)) {
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
        stopped = true;
        follower.cancel();
    }
}
