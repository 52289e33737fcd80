package io.penstock.engine.bus;

import static io.penstock.testbed.Await.await;

import io.penstock.frames.Frame;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A consumer of a task's frames that can be paused. */
final class Follower {

    private static final long PATIENCE_SECONDS = 30;

    private final List<Frame> seen = new ArrayList<>();
    private final MessageConsumer<FramePage> consumer;
    private boolean held;
    private boolean last;
    private @Nullable Message<FramePage> unanswered;

    Follower(Vertx vertx, String taskId, Long fromSeq) {
        String address = "follower." + UUID.randomUUID();
        consumer = vertx.eventBus().localConsumer(address, this::onPage);
        await(consumer.completion());
        await(vertx.eventBus().request(BusAddresses.FOLLOW, new FollowFrames(taskId, fromSeq, address, true)));
    }

    private synchronized void onPage(Message<FramePage> page) {
        seen.addAll(page.body().frames());
        last = page.body().last();
        if (held) {
            unanswered = page;
        } else {
            page.reply(null);
        }
        notifyAll();
    }

    /** Replies to no page until it is released. */
    synchronized void pauseReplies() {
        held = true;
    }

    synchronized void letGo() {
        held = false;
        if (unanswered != null) {
            unanswered.reply(null);
        }
    }

    List<Frame> toTheEnd() {
        return until(frame -> false);
    }

    /** The frames seen up to the first match, or all of them. */
    synchronized List<Frame> until(Predicate<Frame> wanted) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!last && seen.stream().noneMatch(wanted)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("saw only " + seen);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        consumer.unregister();
        return List.copyOf(seen);
    }
}
