package io.penstock.engine.spawn.epoll;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.FileDescriptor;
import io.penstock.frames.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class OutputReaderTest {

    private static final int TURNS = 10_000;

    /** Refills its own pipe, so that it always has output for a whole turn. */
    private static final class Flood implements OutputReader.Sink {
        private final FileDescriptor[] own = FileDescriptor.pipe();
        private final FileDescriptor[] others = FileDescriptor.pipe();
        private final ByteBuffer bytes = ByteBuffer.allocateDirect(LoopBuffer.BYTES);
        final CompletableFuture<Integer> turnsUntilTold = new CompletableFuture<>();
        private final List<Runnable> closing = new ArrayList<>();
        private int turns;
        private int turnsWhenWritten;

        Flood() throws IOException {}

        /** Runs on the loop; completes when another descriptor's event was delivered. */
        void begin(IoEventLoop loop) {
            var other = new WatchedDescriptor(others[0].intValue(), (readable, writable, hungUp) -> {
                end();
            });
            other.watch(loop, true);
            var reader = new OutputReader[1];
            var descriptor = new WatchedDescriptor(own[0].intValue(), (readable, writable, hungUp) -> {
                reader[0].ready(hungUp);
            });
            reader[0] = new OutputReader(Channel.STDOUT, descriptor, loop, this);
            descriptor.watch(loop, true);
            fill();
            closing.addAll(List.of(reader[0]::close, other::close, () -> close(own[1]), () -> close(others[1])));
        }

        private void end() {
            int turnsBefore = turns - turnsWhenWritten;
            closing.forEach(Runnable::run);
            closing.clear();
            turnsUntilTold.complete(turnsBefore);
        }

        private static void close(FileDescriptor descriptor) {
            try {
                descriptor.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void fill() {
            try {
                own[1].write(bytes, 0, bytes.capacity());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void output(Channel channel, ByteBuffer read) {
            turns++;
            if (turns < TURNS) {
                fill();
            }
            if (turns == 10) {
                turnsWhenWritten = turns;
                try {
                    others[1].write(bytes, 0, 1);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void closed(Channel channel) {}
    }

    @Test
    void otherDescriptorsGetATurnDuringAFlood() throws Exception {
        try (var group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory())) {
            IoEventLoop loop = group.next();
            var flood = new Flood();
            loop.execute(() -> flood.begin(loop));
            int turns = flood.turnsUntilTold.get(30, TimeUnit.SECONDS);
            assertTrue(turns <= 2, turns + " turns of the flood before another descriptor's event");
        }
    }
}
