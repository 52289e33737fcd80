package io.penstock.engine.log;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * Does the same again as long as there is more to do, such as reading page after page. Futures that are made of each other would be as
 * deep as there are rounds: some thousand of them are more than a stack has room for, and then the last one never completes.
 */
public final class Rounds {

    /** One of them. */
    public interface Round {
        /** Completes with whether there is another. */
        Future<Boolean> run();
    }

    private final Round round;
    private final Promise<Void> over = Promise.promise();

    private Rounds(Round round) {
        this.round = round;
    }

    /** One after the other; completes after the last, or fails with the first that fails. */
    public static Future<Void> of(Round round) {
        var rounds = new Rounds(round);
        rounds.go();
        return rounds.over.future();
    }

    private void go() {
        boolean more = true;
        while (more) {
            Future<Boolean> done = next();
            if (!done.isComplete()) {
                done.onSuccess(another -> {
                            if (another) {
                                go();
                            } else {
                                over.complete();
                            }
                        })
                        .onFailure(over::fail);
                return;
            }
            if (done.failed()) {
                over.fail(done.cause());
                return;
            }
            more = done.result();
        }
        over.complete();
    }

    private Future<Boolean> next() {
        try {
            return round.run();
        } catch (RuntimeException | Error e) {
            return Future.failedFuture(e);
        }
    }
}
