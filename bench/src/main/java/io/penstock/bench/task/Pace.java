package io.penstock.bench.task;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Publishes frames from one event loop, as a shard does, at most a window ahead of the slowest listener: the bus has no
 * backpressure, and its backlog would measure memory, not speed.
 */
final class Pace {

    /** The frames between two checks for room, after which the loop may do other work. */
    private static final int STEP = 32;

    private static final int STEPS_AHEAD = 8;

    private final int frames;
    private final int listeners;
    /** For each step in flight, the number of listeners that have seen it. */
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

    /** Called by each listener with the number of frames seen. */
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
