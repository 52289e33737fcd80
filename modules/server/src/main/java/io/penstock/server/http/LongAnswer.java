package io.penstock.server.http;

import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.Gzip;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that may be large. It gets its share of the memory budget before it is made, and is written piece by piece at the speed of the
 * connection. Runs on the request's context.
 */
final class LongAnswer {

    private static final Logger log = LoggerFactory.getLogger(LongAnswer.class);

    /** The size of a piece: the off-heap memory that one connection uses. */
    static final int PIECE_BYTES = 32 * 1024;

    private final Context here;
    private final RoutingContext request;
    private final HttpServerResponse response;
    private final AnswerBudget.Share share;

    private LongAnswer(Context here, RoutingContext request, AnswerBudget.Share share) {
        this.here = here;
        this.request = request;
        this.response = request.response();
        this.share = share;
        // Also called if the answer fails, or the connection is closed before anything is written.
        request.addEndHandler(ended -> share.giveBack());
    }

    /**
     * @param budget the memory of large answers
     * @param bytes the maximum memory for making the answer
     * @param make reads the data of the answer
     */
    static <T> void prepare(
            AnswerBudget budget,
            RoutingContext request,
            AnswerBudget.Kind kind,
            long bytes,
            Supplier<Future<T>> make,
            Made<T> then) {
        Context here = request.vertx().getOrCreateContext();
        HttpServerResponse response = request.response();
        Runnable breakOff =
                () -> here.runOnContext(v -> request.request().connection().close());
        budget.acquire(request.vertx(), kind, request.normalizedPath(), bytes, breakOff)
                .onComplete(taken -> here.runOnContext(v -> {
                    if (taken.failed()) {
                        if (!response.closed()) {
                            request.fail(taken.cause());
                        }
                        return;
                    }
                    if (response.closed()) {
                        taken.result().giveBack();
                        return;
                    }
                    var answer = new LongAnswer(here, request, taken.result());
                    TaskRoutes.whenDone(request, attempt(make), made -> then.answer(made, answer));
                }));
    }

    private static <T> Future<T> attempt(Supplier<Future<T>> make) {
        try {
            return make.get();
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    /** Writes the answer from its data. */
    interface Made<T> {
        void answer(T made, LongAnswer answer);
    }

    /** Writes JSON that is complete. */
    void json(Buffer body) {
        boolean isHeadWritten = response.headWritten();
        jsonHead();
        whole(isHeadWritten ? body : Gzip.body(request, body));
    }

    /** Writes JSON that is made piece by piece; see {@link #pieces}. */
    void jsonPieces(Supplier<Future<Buffer>> next, long bytes) {
        jsonHead();
        pieces(next, bytes);
    }

    /** The head of an answer that took long is sent already. */
    private void jsonHead() {
        if (!response.headWritten()) {
            AnswerHeaders.json(response);
        }
    }

    void whole(Buffer body) {
        if (!response.headWritten()) {
            response.putHeader("content-length", String.valueOf(body.length()));
        }
        var slices = new Slices(body);
        pieces(() -> Future.succeededFuture(slices.next()), body.length());
    }

    /** @param pieces made one by one on a worker, because a hundred of such answers would block an event loop */
    void write(Iterator<Buffer> pieces, long bytes) {
        pieces(
                () -> request.vertx()
                        .executeBlocking(() -> pieces.hasNext() ? pieces.next() : Buffer.buffer(), false)
                        .map(Objects::requireNonNull),
                bytes);
    }

    /**
     * @param next makes the next piece when the connection has room for it; an empty piece is the end
     * @param bytes the memory of the pieces and of the data behind them
     */
    void pieces(Supplier<Future<Buffer>> next, long bytes) {
        share.resize(Math.max(1, bytes));
        if (!response.headWritten() && !response.headers().contains("content-length")) {
            response.setChunked(true);
        }
        write(next);
    }

    /**
     * Writes one piece at a time and waits until the socket has taken it, because Vert.x limits its queue by messages, not by bytes. Each
     * piece has its own turn of the event loop, so that other connections get theirs.
     */
    private void write(Supplier<Future<Buffer>> next) {
        next.get()
                .onComplete(made -> here.runOnContext(v -> {
                    if (response.closed() || response.ended()) {
                        return;
                    }
                    if (made.failed()) {
                        fail(made.cause());
                    } else if (made.result().length() == 0) {
                        response.end();
                    } else {
                        share.offered();
                        response.write(made.result()).onSuccess(taken -> {
                            share.moved();
                            write(next);
                        });
                    }
                }));
    }

    /** If the head was sent, resets the connection, so that the client sees that the answer is incomplete. */
    private void fail(Throwable why) {
        if (response.headWritten()) {
            log.warn("An answer broke off: {}", String.valueOf(why));
            response.reset();
        } else {
            response.headers().remove("content-length");
            request.fail(why);
        }
    }

    /** The share of the budget, for an answer that changes its size later. */
    AnswerBudget.Share share() {
        return share;
    }

    private static final class Slices {

        private final Buffer all;
        private int at;

        Slices(Buffer all) {
            this.all = all;
        }

        /** The next slice; empty at the end. */
        Buffer next() {
            int end = Math.min(all.length(), at + PIECE_BYTES);
            Buffer piece = all.slice(at, end);
            at = end;
            return piece;
        }
    }
}
