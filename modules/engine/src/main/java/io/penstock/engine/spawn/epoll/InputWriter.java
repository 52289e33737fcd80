package io.penstock.engine.spawn.epoll;

import io.penstock.engine.spawn.InputRefused;
import io.penstock.engine.spawn.InputRefused.Reason;
import io.penstock.engine.spawn.linux.Descriptors;
import io.penstock.engine.spawn.linux.Errno;
import io.penstock.engine.spawn.linux.Terminal;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Writes a program's input as fast as it reads, and refuses what is too much to keep for it. All on the loop's thread. */
final class InputWriter {
    private final WatchedDescriptor descriptor;
    private final ContextInternal owner;
    private final boolean terminal;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private @Nullable Promise<Void> closing;
    private boolean closed;

    private static final class Waiting {
        final byte[] bytes;
        final Promise<Boolean> done;
        int written;
        boolean shown;

        Waiting(byte[] bytes, boolean shown, Promise<Boolean> done) {
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
                    "The program does not read its input: " + waitingBytes + " bytes wait for it already, and with "
                            + input.length + " more it would be more than " + Limits.STDIN_WAITING_BYTES
                            + ". Try again when it has read."));
        }
        Promise<Boolean> done = owner.promise();
        waiting.add(new Waiting(input.clone(), waiting.isEmpty() || isShown(), done));
        waitingBytes += input.length;
        if (waiting.size() == 1) {
            writable();
        }
        return done.future();
    }

    Future<Void> closeInput() {
        if (terminal) {
            return owner.failedFuture(new InputRefused(
                    Reason.NONE, "A terminal's input has no end of its own. Write ^D (0x04) at the start of a line."));
        }
        if (closed) {
            return owner.succeededFuture();
        }
        if (closing == null) {
            closing = owner.promise();
            writable();
        }
        return closing.future();
    }

    /** There is room again, or nobody who reads. */
    void writable() {
        while (!closed) {
            Waiting next = waiting.peek();
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

    /** Refuses all that waits. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (!terminal) {
            descriptor.close(); // a terminal's is its output as well
        }
        waitingBytes = 0;
        for (Waiting refused = waiting.poll(); refused != null; refused = waiting.poll()) {
            refused.done.fail(closedRefusal());
        }
        if (closing != null) {
            closing.tryComplete();
        }
    }

    private long writeSome(Waiting next) {
        if (next.written == next.bytes.length) {
            return 0; // nothing to say, said
        }
        LoopBuffer buffer = LoopBuffer.take();
        try {
            int length = Math.min(next.bytes.length - next.written, LoopBuffer.BYTES);
            // Asked before the write: the program may change it in answer to what it reads.
            next.shown = next.shown && isShown();
            MemorySegment.copy(next.bytes, next.written, buffer.memory(), ValueLayout.JAVA_BYTE, 0, length);
            long answer = Descriptors.write(descriptor.number(), buffer.memory(), length);
            if (answer > 0) {
                next.written += (int) answer;
                waitingBytes -= answer;
            }
            return answer;
        } finally {
            buffer.giveBack();
        }
    }

    private boolean isShown() {
        return terminal && Terminal.echoes(descriptor.number());
    }

    private void closeWhenAsked() {
        if (closing != null) {
            close();
        }
    }

    private static InputRefused closedRefusal() {
        return new InputRefused(
                Reason.CLOSED, "The program's input is closed: it has closed it, or ended, or it was closed for it.");
    }
}
