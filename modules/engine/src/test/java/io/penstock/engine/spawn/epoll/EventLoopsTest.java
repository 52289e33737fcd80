package io.penstock.engine.spawn.epoll;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.netty.channel.IoEvent;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.penstock.engine.spawn.linux.libc.Descriptors;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopsTest {

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final IoEventLoop loop =
            (IoEventLoop) ((VertxInternal) vertx).nettyEventLoopGroup().next();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** Throws an error on its loop. */
    private record Failing(FileDescriptor fd) implements EpollIoHandle {
        @Override
        public void handle(IoRegistration source, IoEvent event) {
            throw new NoClassDefFoundError("of a test");
        }

        @Override
        public void close() {}
    }

    @Test
    void endOfALoopByAnErrorIsReported() throws Exception {
        EventLoops.whenEnded(vertx, ended::complete);
        Descriptors.Pipe pipe = Descriptors.pipe();
        loop.register(new Failing(new FileDescriptor(pipe.readEnd())))
                .sync()
                .getNow()
                .submit(EpollIoOps.EPOLLIN);
        write(pipe);
        assertEquals("event loop ", ended.get(30, TimeUnit.SECONDS).substring(0, 11));
    }

    @Test
    void errorOfADescriptorEndsOnlyItsWatching() throws Exception {
        EventLoops.whenEnded(vertx, ended::complete);
        Descriptors.Pipe pipe = Descriptors.pipe();
        var called = new CompletableFuture<Void>();
        var failing = new WatchedDescriptor(pipe.readEnd(), (readable, writable, hungUp) -> {
            called.complete(null);
            throw new NoClassDefFoundError("of a test");
        });
        loop.submit(() -> failing.watch(loop, true)).sync();
        write(pipe);
        called.get(30, TimeUnit.SECONDS);
        // The loop continues after it.
        assertEquals("alive", loop.submit(() -> "alive").get(30, TimeUnit.SECONDS));
        assertFalse(ended.isDone());
        Descriptors.close(pipe.writeEnd());
    }

    private static void write(Descriptors.Pipe pipe) {
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(1, Descriptors.write(pipe.writeEnd(), arena.allocate(1), 1));
        }
    }
}
