package io.penstock.engine.log.store;

import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.postgres.Database;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes a slow answer of Postgres from a Postgres that has stopped, so that callers need not wait for the
 * timeout of the slowest query: when an answer is overdue, a trivial query checks that Postgres responds, repeatedly
 * until the answer arrives.
 */
public final class OverdueAnswers {

    /** Nearly all answers arrive earlier, so that Postgres gets no additional query. */
    static final long OVERDUE_MS = 750;

    /** A busy machine may need this long for a trivial query. */
    static final long PULSE_WITHIN_MS = 1_000;

    private final Vertx vertx;
    private final Database database;

    public OverdueAnswers(Vertx vertx, Database database) {
        this.vertx = vertx;
        this.database = database;
    }

    /** The answer, or {@code DATABASE_UNAVAILABLE} if it is overdue and Postgres does not respond. */
    <T> Future<T> watch(Future<T> answer) {
        if (answer.isComplete()) {
            return answer;
        }
        Promise<T> result = Promise.promise();
        answer.onComplete(done -> complete(result, done));
        watch(result);
        return result.future();
    }

    private <T> void watch(Promise<T> result) {
        long timer = vertx.setTimer(
                OVERDUE_MS,
                overdue -> database.pulse()
                        .timeout(PULSE_WITHIN_MS, TimeUnit.MILLISECONDS)
                        .onComplete(pulse -> {
                            if (pulse.failed()) {
                                result.tryFail(LogFailures.databaseAway(
                                        "it has not answered within " + (OVERDUE_MS + PULSE_WITHIN_MS) + " ms",
                                        pulse.cause()));
                            } else if (!result.future().isComplete()) {
                                watch(result);
                            }
                        }));
        result.future().onComplete(done -> vertx.cancelTimer(timer));
    }

    private static <T> void complete(Promise<T> result, AsyncResult<T> answer) {
        if (answer.succeeded()) {
            result.tryComplete(answer.result());
        } else {
            result.tryFail(answer.cause());
        }
    }
}
