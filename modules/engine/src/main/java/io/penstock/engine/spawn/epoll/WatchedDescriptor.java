package io.penstock.engine.spawn.epoll;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A descriptor on an event loop, edge-triggered: the loop reports a change once, so that a paused reader costs nothing, even after the
 * other end has hung up. A callback therefore has to read or write until the kernel would block.
 */
final class WatchedDescriptor implements EpollIoHandle {
    private static final EpollIoOps HUNG_UP = EpollIoOps.valueOf(0x10);
    private static final EpollIoOps READABLE =
            EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLERR).with(HUNG_UP);
    private static final EpollIoOps WRITABLE =
            EpollIoOps.EPOLLOUT.with(EpollIoOps.EPOLLERR).with(HUNG_UP);

    private static final Logger log = LoggerFactory.getLogger(WatchedDescriptor.class);

    /** Called with an event's flags, of which several may be set. */
    interface Ready {
        void ready(boolean readable, boolean writable, boolean hungUp);
    }

    private final FileDescriptor descriptor;
    private final Ready callback;
    private @Nullable IoRegistration registration;
    private boolean reads;
    private boolean writes;
    private boolean closed;

    WatchedDescriptor(int descriptor, Ready callback) {
        this.descriptor = new FileDescriptor(descriptor);
        this.callback = callback;
    }

    /** Starts watching. Runs on the loop's own thread, so the registration is complete on return. */
    void watch(IoEventLoop loop, boolean output) {
        var registering = loop.register(this).syncUninterruptibly();
        registration = registering.getNow();
        listen(output);
    }

    /** Sets whether to report output; output that arrives meanwhile is reported after the next {@code true}, a hang-up always. */
    void listen(boolean output) {
        reads = output;
        submit();
    }

    /**
     * Sets whether to report room for input. Set only after a write found no room: a terminal reports room whenever its program reads, and
     * each report waits for whatever the kernel is doing with that terminal.
     */
    void awaitRoom(boolean room) {
        if (writes != room) {
            writes = room;
            submit();
        }
    }

    private void submit() {
        IoRegistration here = registration;
        if (here != null && here.isValid()) {
            EpollIoOps ops = EpollIoOps.EPOLLET;
            ops = reads ? ops.with(EpollIoOps.EPOLLIN) : ops;
            here.submit(writes ? ops.with(EpollIoOps.EPOLLOUT) : ops);
        }
    }

    int number() {
        return descriptor.intValue();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public FileDescriptor fd() {
        return descriptor;
    }

    /** The event may be a late one of another descriptor with the same number; the callback then finds nothing to do. */
    @Override
    public void handle(IoRegistration source, IoEvent event) {
        if (!closed) {
            int ops = ((EpollIoEvent) event).ops().value();
            try {
                callback.ready(
                        (ops & READABLE.value()) != 0, (ops & WRITABLE.value()) != 0, (ops & HUNG_UP.value()) != 0);
            } catch (RuntimeException | Error e) {
                // A rethrown error would end the loop with all its tasks and connections.
                fail(e);
            }
        }
    }

    /** Runs what belongs to this descriptor but was not called by an event; an error has the same effect as in a callback. */
    void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void fail(Throwable e) {
        log.error("Stopped watching descriptor {} of a program after an error", number(), e);
        close();
    }

    /** Closes only once: the kernel may reuse the number right after. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (registration != null) {
                registration.cancel();
            }
            Descriptors.close(descriptor.intValue());
        }
    }
}
