package io.penstock.engine.pump;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a start has to ask the database, which may be away again by then: it is asked until it answers. Whoever was not told for want of
 * an answer would be seen to run, or to wait, until the server is started once more.
 */
final class DatabaseRetry {

    private static final Logger log = LoggerFactory.getLogger(DatabaseRetry.class);

    /** A database that is restarted is back in a second or so. */
    private static final long RETRY_MS = 250;

    private DatabaseRetry() {}

    static <T> Future<T> run(Vertx vertx, Supplier<Future<T>> question) {
        return question.get().recover(e -> {
            if (!isAway(e)) {
                return Future.failedFuture(e);
            }
            log.warn("The start waits for the database, which is asked about tasks that were left: {}", e.getMessage());
            return again(vertx, question);
        });
    }

    private static <T> Future<T> again(Vertx vertx, Supplier<Future<T>> question) {
        return vertx.timer(RETRY_MS)
                .compose(later -> question.get())
                .recover(e -> isAway(e) ? again(vertx, question) : Future.failedFuture(e));
    }

    private static boolean isAway(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.DATABASE_UNAVAILABLE;
    }
}
