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

/** Writes one program's input on a thread of its own, which is there only once something was written. All else on the owner's context. */
final class InputThread {
    private final OutputStream stream;
    private final BooleanSupplier shows;
    private final Owner owner;
    private final ExecutorService writer;
    private long waitingBytes;
    private boolean closed;

    /** @param shows whether what is typed is shown now; asked on any thread */
    InputThread(OutputStream stream, BooleanSupplier shows, Owner owner, long pid) {
        this.stream = stream;
        this.shows = shows;
        this.owner = owner;
        this.writer = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("input-" + pid).factory());
    }

    /** Whether it was shown: when this was called, and before and after the write, which lasts for as long as there is no room. */
    Future<Boolean> write(byte[] input) {
        if (closed) {
            return Future.failedFuture(closedRefusal());
        }
        if (waitingBytes + input.length > Limits.STDIN_WAITING_BYTES) {
            return Future.failedFuture(new InputRefused(
                    Reason.FULL,
                    "The program does not read its input: " + waitingBytes + " bytes wait for it already, and with "
                            + input.length + " more it would be more than " + Limits.STDIN_WAITING_BYTES
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

    /** @param streamToo whether it is closed as well, after what waits for it; a terminal's is also its output */
    void close(boolean streamToo) {
        if (streamToo && !closed) {
            closeInput();
        }
        closed = true;
        writer.shutdown();
    }

    private interface Action {
        boolean perform() throws IOException;
    }

    private Future<Boolean> perform(Action action) {
        Promise<Boolean> done = Promise.promise();
        writer.execute(() -> {
            try {
                boolean answer = action.perform();
                owner.tell(() -> done.complete(answer));
            } catch (IOException e) {
                owner.tell(() -> done.fail(closedRefusal()));
            }
        });
        return done.future();
    }

    private static InputRefused closedRefusal() {
        return new InputRefused(
                Reason.CLOSED, "The program's input is closed: it has closed it, or ended, or it was closed for it.");
    }
}
