package io.penstock.engine.log;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Repeats an asynchronous step until it reports that there is no more to do, such as reading page after page. Composing
 * one future onto another would nest them as deep as the number of iterations: a few thousand overflow the stack, and
 * then the last one never completes.
 */
public final class AsyncLoop {

    /** One step of the loop. */
    public interface Iteration {
        /** Completes with whether to run another iteration. */
        Future<Boolean> run();
    }

    private final Iteration iteration;
    private final Promise<Void> finished = Promise.promise();

    private AsyncLoop(Iteration iteration) {
        this.iteration = iteration;
    }

    /** Runs the iterations one after the other; completes after the last, or fails with the first failure. */
    public static Future<Void> of(Iteration iteration) {
        var loop = new AsyncLoop(iteration);
        loop.iterate();
        return loop.finished.future();
    }

    private void iterate() {
        boolean more = true;
        while (more) {
            Future<Boolean> done = next();
            if (!done.isComplete()) {
                done.onSuccess(another -> {
                            if (another) {
                                iterate();
                            } else {
                                finished.complete();
                            }
                        })
                        .onFailure(finished::fail);
                return;
            }
            if (done.failed()) {
                finished.fail(done.cause());
                return;
            }
            more = done.result();
        }
        finished.complete();
    }

    private Future<Boolean> next() {
        try {
            return iteration.run();
        } catch (RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }
}
