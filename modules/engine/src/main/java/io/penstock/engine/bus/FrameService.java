package io.penstock.engine.bus;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.TaskApi;
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
    private final Following following;
    private final FrameFollower follower;
    private List<Frame> gathered = new ArrayList<>();
    private boolean sending;
    private boolean sendAwaited;
    private boolean last;
    private boolean over;

    private FrameService(Vertx vertx, TaskApi tasks, FollowFrames wanted, Following following) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.wanted = wanted;
        this.following = following;
        this.follower = tasks.follow(wanted.taskId(), following.fromSeq());
    }

    /** @param known the task's state at this moment */
    static void begin(Vertx vertx, TaskApi tasks, FollowFrames wanted, TaskState known) {
        long fromSeq = wanted.fromSeq() == null ? known.nextSeq() : wanted.fromSeq();
        var following = new Following(wanted.taskId(), known, fromSeq, wanted.untilEnd());
        new FrameService(vertx, tasks, wanted, following).begin();
    }

    private void begin() {
        if (following.isOver()) {
            last = true;
            send();
            return;
        }
        follower.exceptionHandler(broken -> {
            log.warn("The frames of task {} cannot be sent on: {}", wanted.taskId(), String.valueOf(broken));
            last = true;
            sendSoon();
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
        last = following.endsWith(frame);
        if (last || gathered.size() == Limits.PAGE_FRAMES) {
            follower.pause();
        }
        sendSoon();
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
