package io.penstock.bench.fetch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Connections that fetch ranges for a time, on as few threads as suffice: half of the processors. */
final class RangeLoad {

    /** The size of one read, about what a socket usually holds. */
    private static final int BUFFER_BYTES = 256 << 10;

    private static final long ANSWER_WITHIN_MS = 30_000;

    /**
     * The result of a run.
     *
     * @param compared answers whose bytes were compared with the file
     * @param clientCpuNanos processor time of this process
     */
    record Run(long answers, long compared, double seconds, long serverCpuNanos, long clientCpuNanos) {}

    private record Part(long answers, long compared, long nanos, long cpuNanos) {}

    private final Target target;
    private final MappedByteBuffer file;
    private final int rangeBytes;
    private final int connections;
    private final double seconds;

    RangeLoad(Target target, MappedByteBuffer file, int rangeBytes, int connections, double seconds) {
        this.target = target;
        this.file = file;
        this.rangeBytes = rangeBytes;
        this.connections = connections;
        this.seconds = seconds;
    }

    Run run(long seed) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        long serverCpu = target.cpuNanos().getAsLong();
        var parts = new ArrayList<CompletableFuture<Part>>();
        for (int i = 0; i < threads; i++) {
            int share = connections / threads + (i < connections % threads ? 1 : 0);
            long own = seed * threads + i;
            var part = new CompletableFuture<Part>();
            parts.add(part);
            Thread.ofPlatform().name("range-load-" + i).start(() -> {
                try {
                    part.complete(fetch(share, own));
                } catch (IOException | RuntimeException e) {
                    part.completeExceptionally(e);
                }
            });
        }
        List<Part> all = parts.stream().map(CompletableFuture::join).toList();
        return new Run(
                all.stream().mapToLong(Part::answers).sum(),
                all.stream().mapToLong(Part::compared).sum(),
                all.stream().mapToLong(Part::nanos).max().orElseThrow() / 1e9,
                target.cpuNanos().getAsLong() - serverCpu,
                all.stream().mapToLong(Part::cpuNanos).sum());
    }

    private Part fetch(int share, long seed) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        var opened = new ArrayList<RangeConnection>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < share; i++) {
                opened.add(new RangeConnection(target, file, rangeBytes, seed * 1000 + i, selector));
            }
            long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            long begun = System.nanoTime();
            long until = begun + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
            for (RangeConnection connection : opened) {
                connection.begin();
            }
            while (System.nanoTime() < until) {
                turn(selector, buffer);
            }
            // Requests in flight are completed and counted, and so is their time.
            opened.forEach(RangeConnection::stopAsking);
            while (opened.stream().anyMatch(RangeConnection::isWaiting)) {
                turn(selector, buffer);
            }
            return new Part(
                    opened.stream().mapToLong(RangeConnection::answers).sum(),
                    opened.stream().mapToLong(RangeConnection::compared).sum(),
                    System.nanoTime() - begun,
                    ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu);
        } finally {
            for (RangeConnection connection : opened) {
                connection.close();
            }
        }
    }

    private void turn(Selector selector, ByteBuffer buffer) throws IOException {
        int ready = selector.select(
                key -> {
                    try {
                        connection(key).read(buffer);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                ANSWER_WITHIN_MS);
        if (ready == 0) {
            throw new IOException(target.name() + " has not answered for " + ANSWER_WITHIN_MS + " ms");
        }
    }

    private static RangeConnection connection(SelectionKey key) {
        return (RangeConnection) key.attachment();
    }
}
