package io.penstock.bench.task;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Publishes so many frames from one event loop, as a shard does, and no more ahead of the slowest listener than a window: the bus has
 * no brake of its own, and what waits in it is memory, not speed.
 */
final class Pace {

    /** So many, then a look at whether there is room; and so a loop does other things too. */
    private static final int STEP = 32;

    private static final int STEPS_AHEAD = 8;

    private final int frames;
    private final int listeners;
    /** How many listeners have seen each step that is under way. */
    private final AtomicIntegerArray seenBy = new AtomicIntegerArray(STEPS_AHEAD);

    private final Context loop;
    private final Promise<Void> all = Promise.promise();
    private Runnable publish = () -> {};
    private boolean stepping;
    private int published;
    private int seenByAll;

    Pace(Vertx vertx, int frames, int listeners) {
        this.loop = vertx.getOrCreateContext();
        this.frames = frames / STEP * STEP;
        this.listeners = listeners;
    }

    int frames() {
        return frames;
    }

    Future<Void> run(Runnable publishOne) {
        loop.runOnContext(begin -> {
            publish = publishOne;
            publishStep();
        });
        return all.future();
    }

    private void publishStep() {
        stepping = false;
        if (published == frames || published - seenByAll >= STEP * STEPS_AHEAD) {
            return;
        }
        for (int i = 0; i < STEP; i++) {
            publish.run();
        }
        published += STEP;
        stepping = true;
        loop.runOnContext(next -> publishStep());
    }

    /** By each listener, with how many it has seen. */
    void seen(int count) {
        if (count % STEP == 0) {
            int place = (count / STEP - 1) % STEPS_AHEAD;
            if (seenBy.incrementAndGet(place) == listeners) {
                seenBy.set(place, 0);
                loop.runOnContext(seen -> stepSeen());
            }
        }
    }

    private void stepSeen() {
        seenByAll += STEP;
        if (seenByAll == frames) {
            all.complete();
        } else if (!stepping) {
            publishStep();
        }
    }
}
