package io.penstock.engine.spawn.pty4j;

import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.InputRefused.Reason;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/** Writes one program's input on a thread of its own, started by the first write. Everything else runs on the owner's context. */
final class InputThread {
    private final OutputStream stream;
    private final BooleanSupplier shows;
    private final Owner owner;
    private final ExecutorService writer;
    private long waitingBytes;
    private boolean closed;

    /** @param shows whether the terminal echoes typed input now; called on any thread */
    InputThread(OutputStream stream, BooleanSupplier shows, Owner owner, long pid) {
        this.stream = stream;
        this.shows = shows;
        this.owner = owner;
        this.writer = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("input-" + pid).factory());
    }

    /** Returns whether the input was echoed: at the call, and before and after the write, which blocks while there is no room. */
    Future<Boolean> write(byte[] input) {
        if (closed) {
            return Future.failedFuture(closedRefusal());
        }
        if (waitingBytes + input.length > Limits.STDIN_WAITING_BYTES) {
            return Future.failedFuture(new InputRefused(
                    Reason.FULL,
                    "The program does not read its input: " + waitingBytes + " bytes are waiting, and " + input.length
                            + " more would exceed the limit of " + Limits.STDIN_WAITING_BYTES
                            + ". Try again when it has read."));
        }
        waitingBytes += input.length;
        byte[] copy = input.clone();
        boolean shown = shows.getAsBoolean();
        return perform(() -> {
                    boolean still = shown && shows.getAsBoolean();
                    stream.write(copy);
                    stream.flush();
                    return still && shows.getAsBoolean();
                })
                .onComplete(written -> {
                    waitingBytes -= copy.length;
                    closed |= written.failed();
                });
    }

    Future<Void> closeInput() {
        if (closed) {
            return Future.succeededFuture();
        }
        closed = true;
        return perform(() -> {
                    stream.close();
                    return true;
                })
                .mapEmpty();
    }

    /** @param closeStream whether to close the stream too, after the waiting input; a terminal's is also its output */
    void close(boolean closeStream) {
        if (closeStream && !closed) {
            closeInput();
        }
        closed = true;
        writer.shutdown();
    }

    private interface Action {
        boolean run() throws IOException;
    }

    private Future<Boolean> perform(Action action) {
        Promise<Boolean> done = Promise.promise();
        writer.execute(() -> {
            try {
                boolean answer = action.run();
                owner.dispatch(() -> done.complete(answer));
            } catch (IOException e) {
                owner.dispatch(() -> done.fail(closedRefusal()));
            }
        });
        return done.future();
    }

    private static InputRefused closedRefusal() {
        return new InputRefused(
                Reason.CLOSED,
                "The program's input is closed: the program has closed it or ended, or a client has closed it.");
    }
}
