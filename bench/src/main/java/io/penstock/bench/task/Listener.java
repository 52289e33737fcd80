package io.penstock.bench.task;

import io.penstock.frames.Frame;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.function.Function;

/** A verticle that listens, and checks that each frame comes once and in order. */
final class Listener extends VerticleBase {

    /** Stops listening. */
    interface End {
        Future<Void> end();
    }

    private final Pace pace;
    private final boolean alwaysTheSame;
    private final Function<Handler<Frame>, Future<End>> begin;
    private End end = Future::succeededFuture;
    private int seen;
    private long wrong;

    /** @param alwaysTheSame whether the same frame is sent repeatedly, so that only the number can be checked */
    Listener(Pace pace, boolean alwaysTheSame, Function<Handler<Frame>, Future<End>> begin) {
        this.pace = pace;
        this.alwaysTheSame = alwaysTheSame;
        this.begin = begin;
    }

    @Override
    public Future<?> start() {
        return begin.apply(this::hear).onSuccess(begun -> end = begun);
    }

    @Override
    public Future<?> stop() {
        Promise<Void> ended = Promise.promise();
        end.end().onComplete(ended);
        return ended.future();
    }

    private void hear(Frame frame) {
        if (!alwaysTheSame && frame.seq() != seen) {
            wrong++;
        }
        pace.seen(++seen);
    }

    /** Called at the end of the run. */
    void check() {
        if (wrong > 0 || seen != pace.frames()) {
            throw new IllegalStateException("a verticle received " + seen + " frames, " + wrong
                    + " of them out of place, where " + pace.frames() + " were published");
        }
    }
}
