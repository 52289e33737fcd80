package io.penstock.server.http;

import io.penstock.server.budget.AnswerBudget;
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
 * An answer that may be large: has its share of the memory before it is made, and is written piece by piece as its connection takes
 * them. Lives on the request's context.
 */
final class LongAnswer {

    private static final Logger log = LoggerFactory.getLogger(LongAnswer.class);

    /** A piece: what a connection has under way in memory outside of the heap. */
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
        // Also where it fails, or the connection is closed before anything is written.
        request.addEndHandler(ended -> share.giveBack());
    }

    /**
     * @param budget that its memory is taken from
     * @param bytes that making it may take at most
     * @param make what it is made from
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

    /** What is done with what was made. */
    interface Made<T> {
        void answer(T made, LongAnswer answer);
    }

    /** JSON that is made at once. */
    void json(Buffer body) {
        jsonHead();
        whole(body);
    }

    /** JSON that is made while it is written; see {@link #pieces}. */
    void jsonPieces(Supplier<Future<Buffer>> next, long bytes) {
        jsonHead();
        pieces(next, bytes);
    }

    private void jsonHead() {
        response.putHeader("content-type", "application/json")
                .putHeader("cache-control", "no-store")
                .putHeader("x-content-type-options", "nosniff");
    }

    void whole(Buffer body) {
        response.putHeader("content-length", String.valueOf(body.length()));
        var slices = new Slices(body);
        pieces(() -> Future.succeededFuture(slices.next()), body.length());
    }

    /** @param pieces each made on a worker, when there is room for it: some hundred of them under way would hold up an event loop */
    void write(Iterator<Buffer> pieces, long bytes) {
        pieces(
                () -> request.vertx()
                        .executeBlocking(() -> pieces.hasNext() ? pieces.next() : Buffer.buffer(), false)
                        .map(Objects::requireNonNull),
                bytes);
    }

    /**
     * @param next piece, made when there is room for it; an empty one when that was all
     * @param bytes that they and what they are made from take
     */
    void pieces(Supplier<Future<Buffer>> next, long bytes) {
        share.resize(Math.max(1, bytes));
        if (!response.headers().contains("content-length")) {
            response.setChunked(true);
        }
        write(next);
    }

    /**
     * One piece is under way at a time, until the socket has taken it: Vert.x calls its queue full by the number of its messages, not by
     * their bytes. Each is written in a turn of its own of the event loop, so that others have theirs.
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

    /** Where something was written already its end is missing, which is how who reads it knows that it is not whole. */
    private void fail(Throwable why) {
        if (response.headWritten()) {
            log.warn("An answer broke off: {}", String.valueOf(why));
            response.reset();
        } else {
            response.headers().remove("content-length");
            request.fail(why);
        }
    }

    /** For an answer that is not made now, but asked for again. */
    AnswerBudget.Share share() {
        return share;
    }

    private static final class Slices {

        private final Buffer all;
        private int at;

        Slices(Buffer all) {
            this.all = all;
        }

        /** Empty at its end. */
        Buffer next() {
            int end = Math.min(all.length(), at + PIECE_BYTES);
            Buffer piece = all.slice(at, end);
            at = end;
            return piece;
        }
    }
}
