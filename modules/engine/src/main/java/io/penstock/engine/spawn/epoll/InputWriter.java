package io.penstock.engine.spawn.epoll;

import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.InputRefused.Reason;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.penstock.engine.spawn.linux.libc.Errno;
import io.penstock.engine.spawn.linux.libc.Terminal;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Writes a program's input as fast as the program reads, and refuses more than its buffer holds. Used on the loop's thread only. */
final class InputWriter {
    private final WatchedDescriptor descriptor;
    private final ContextInternal owner;
    private final boolean terminal;
    private final ArrayDeque<PendingInput> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private @Nullable Promise<Void> closing;
    private boolean closed;

    private static final class PendingInput {
        final byte[] bytes;
        final Promise<Boolean> done;
        int written;
        boolean shown;

        PendingInput(byte[] bytes, boolean shown, Promise<Boolean> done) {
            this.bytes = bytes;
            this.shown = shown;
            this.done = done;
        }
    }

    InputWriter(WatchedDescriptor descriptor, ContextInternal owner, boolean terminal) {
        this.descriptor = descriptor;
        this.owner = owner;
        this.terminal = terminal;
    }

    Future<Boolean> write(byte[] input) {
        if (closed || closing != null) {
            return owner.failedFuture(closedRefusal());
        }
        if (waitingBytes + input.length > Limits.STDIN_WAITING_BYTES) {
            return owner.failedFuture(new InputRefused(
                    Reason.FULL,
                    "The program does not read its input: " + waitingBytes + " bytes are waiting, and " + input.length
                            + " more would exceed the limit of " + Limits.STDIN_WAITING_BYTES
                            + ". Try again when it has read."));
        }
        Promise<Boolean> done = owner.promise();
        waiting.add(new PendingInput(input.clone(), waiting.isEmpty() || isShown(), done));
        waitingBytes += input.length;
        if (waiting.size() == 1) {
            writable();
        }
        return done.future();
    }

    Future<Void> closeInput() {
        if (terminal) {
            return owner.failedFuture(new InputRefused(
                    Reason.NO_INPUT, "A terminal's input cannot be closed. Write ^D (0x04) at the start of a line."));
        }
        if (closed) {
            return owner.succeededFuture();
        }
        Promise<Void> asked = closing;
        if (asked == null) {
            asked = owner.promise();
            closing = asked;
            writable();
        }
        return asked.future();
    }

    /** The kernel has room again, or the reading end was closed. */
    void writable() {
        while (!closed) {
            PendingInput next = waiting.peek();
            if (next == null) {
                descriptor.awaitRoom(false);
                closeWhenAsked();
                return;
            }
            long answer = writeSome(next);
            if (answer == -Errno.EAGAIN) {
                descriptor.awaitRoom(true);
                return;
            }
            if (answer < 0 && answer != -Errno.EINTR) {
                close();
                return;
            }
            if (next.written == next.bytes.length) {
                waiting.remove();
                next.done.complete(next.shown);
            }
        }
    }

    /** Refuses all waiting input. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!terminal) {
            descriptor.close(); // a terminal's descriptor is also its output
        }
        waitingBytes = 0;
        for (PendingInput refused = waiting.poll(); refused != null; refused = waiting.poll()) {
            refused.done.fail(closedRefusal());
        }
        if (closing != null) {
            closing.tryFail(closedRefusal());
        }
    }

    private long writeSome(PendingInput next) {
        if (next.written == next.bytes.length) {
            return 0; // an empty write is complete
        }
        LoopBuffer buffer = LoopBuffer.acquire();
        try {
            int length = Math.min(next.bytes.length - next.written, LoopBuffer.BYTES);
            // Checked before the write: the program may change the setting when it reads this input.
            next.shown = next.shown && isShown();
            MemorySegment.copy(next.bytes, next.written, buffer.memory(), ValueLayout.JAVA_BYTE, 0, length);
            long answer = Descriptors.write(descriptor.number(), buffer.memory(), length);
            if (answer > 0) {
                next.written += (int) answer;
                waitingBytes -= answer;
            }
            return answer;
        } finally {
            buffer.release();
        }
    }

    private boolean isShown() {
        return terminal && Terminal.showsInput(descriptor.number());
    }

    private void closeWhenAsked() {
        Promise<Void> asked = closing;
        if (asked != null) {
            closing = null;
            close();
            asked.complete();
        }
    }

    private static InputRefused closedRefusal() {
        return new InputRefused(
                Reason.CLOSED,
                "The program's input is closed: the program has closed it or ended, or a client has closed it.");
    }
}
