package io.penstock.engine.spawn.epoll;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.penstock.engine.spawn.linux.Descriptors;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor on an event loop. It is watched by edges: told once when something becomes possible, so that a paused reader costs
 * nothing, not even when the other end has hung up. Who is told therefore goes on until the kernel says that it would block.
 */
final class WatchedDescriptor implements EpollIoHandle {
    private static final EpollIoOps HUNG_UP = EpollIoOps.valueOf(0x10);
    private static final EpollIoOps READABLE =
            EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLERR).with(HUNG_UP);
    private static final EpollIoOps WRITABLE =
            EpollIoOps.EPOLLOUT.with(EpollIoOps.EPOLLERR).with(HUNG_UP);

    /** What an event means; all of it may be so at once. */
    interface Ready {
        void ready(boolean readable, boolean writable, boolean hungUp);
    }

    private final FileDescriptor descriptor;
    private final Ready told;
    private @Nullable IoRegistration registration;
    private boolean reads;
    private boolean writes;
    private boolean closed;

    WatchedDescriptor(int descriptor, Ready told) {
        this.descriptor = new FileDescriptor(descriptor);
        this.told = told;
    }

    /** Begins to watch. On the loop's own thread, so it is done when this returns. */
    void watch(IoEventLoop loop, boolean output) {
        var registering = loop.register(this).syncUninterruptibly();
        registration = registering.getNow();
        listen(output);
    }

    /** Whether to be told of output; what comes meanwhile is told at the next {@code true}, and a hang-up in any case. */
    void listen(boolean output) {
        reads = output;
        submit();
    }

    /**
     * Whether to be told of room for input. Only who has found none asks: a terminal tells of room whenever its program reads, and
     * being told takes a wait for whatever the kernel is about to do with that terminal.
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

    /** An event may be a late one of a descriptor that had the same number; whoever is told finds then that nothing is there. */
    @Override
    public void handle(IoRegistration source, IoEvent event) {
        if (!closed) {
            int ops = ((EpollIoEvent) event).ops().value();
            told.ready((ops & READABLE.value()) != 0, (ops & WRITABLE.value()) != 0, (ops & HUNG_UP.value()) != 0);
        }
    }

    /** Once, whoever calls: the number may be another's right after. */
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
