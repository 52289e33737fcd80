package io.penstock.bench;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.artifact.Sealed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of an artifact for its shard, from its first byte to its seal, and for concurrent readers. Run with {@code
 * -prof gc}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx512m")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 2)
public class ArtifactBench {
    /** At this size the next artifact starts, so that the disk holds little: the default cap. */
    private static final long ARTIFACT_BYTES = 16L << 20;

    private static final int MOST_READ = 1 << 20;

    /** A store in a directory of its own, and a growing artifact. */
    @State(Scope.Benchmark)
    public static class Store {
        private Path directory = Path.of(".");
        private @Nullable ArtifactStore store;
        private @Nullable ArtifactWriter writer;
        /** Filled with as much as one read takes: shorter reads would distort the result. */
        private volatile @Nullable Artifact growing;

        private final AtomicReference<String> lastSealed = new AtomicReference<>("");
        private long number;

        @Setup(Level.Trial)
        public void open() throws IOException {
            directory = Files.createTempDirectory("artifact-bench");
            store = ArtifactStore.open(directory.resolve("artifacts"));
            begin();
            for (ByteBuffer some = ByteBuffer.allocateDirect(4096); growing == null; ) {
                append(some);
            }
        }

        @TearDown(Level.Trial)
        public void close() throws IOException {
            store().close();
            List<Path> files;
            try (Stream<Path> walk = Files.walk(directory)) {
                files = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
        }

        ArtifactStore store() {
            return Objects.requireNonNull(store);
        }

        ArtifactWriter begin() {
            ArtifactWriter begun = store().create("bench" + number++, Long.MAX_VALUE);
            writer = begun;
            return begun;
        }

        /** A reader may still use the previous artifact, but not the one before it. */
        private void deleteOneBefore(String end) {
            String before = lastSealed.getAndSet(end);
            if (!before.isEmpty()) {
                store().delete(before);
            }
        }

        int append(ByteBuffer bytes) {
            ArtifactWriter current = Objects.requireNonNull(writer);
            if (current.bytesStored() >= ARTIFACT_BYTES) {
                store().seal(current.end()).onSuccess(end -> deleteOneBefore(end.artifactId()));
                current = begin();
            }
            int stored = current.append(bytes.clear());
            Artifact read = growing;
            if (current.bytesStored() >= MOST_READ
                    && (read == null || !read.id().equals(current.artifactId()))) {
                growing = store().find(current.artifactId());
            }
            return stored;
        }
    }

    @State(Scope.Thread)
    public static class Chunk {
        @Param({"64", "4096", "65536"})
        public int bytes;

        private ByteBuffer buffer = ByteBuffer.allocateDirect(0);

        @Setup(Level.Trial)
        public void fill() {
            buffer = ByteBuffer.allocateDirect(bytes);
            while (buffer.hasRemaining()) {
                buffer.put((byte) (buffer.position() % 80 == 79 ? '\n' : 'x'));
            }
        }
    }

    /** From a direct buffer, like the one that the shard reads into. */
    @Benchmark
    public int append(Store store, Chunk chunk) {
        return store.append(chunk.buffer);
    }

    /**
     * One artifact from its creation until its seal is computed and stored, and its deletion: all disk operations for
     * it.
     */
    @Benchmark
    public Sealed sealEmpty(Store store) {
        return seal(store, 0);
    }

    @Benchmark
    public Sealed seal4KiB(Store store) {
        return seal(store, 4096);
    }

    private static Sealed seal(Store store, int bytes) {
        ArtifactWriter writer = store.begin();
        writer.append(ByteBuffer.allocate(bytes));
        Sealed end = store.store()
                .seal(writer.end())
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        store.store().delete(end.artifactId());
        return end;
    }

    @Benchmark
    @Group("readWhileAppended")
    @GroupThreads(1)
    public int appending(Store store, Reading reading) {
        return store.append(reading.chunk);
    }

    /** The last 64 KiB of the current content, as bytes. */
    @Benchmark
    @Group("readWhileAppended")
    @GroupThreads(1)
    public byte[] read64KiB(Store store) throws IOException {
        Artifact artifact = Objects.requireNonNull(store.growing);
        return artifact.read(artifact.storedBytes() - 65536, 65536);
    }

    @Benchmark
    @Group("readMuchWhileAppended")
    @GroupThreads(1)
    public int appendingMeanwhile(Store store, Reading reading) {
        return store.append(reading.chunk);
    }

    /** The last MiB of it. */
    @Benchmark
    @Group("readMuchWhileAppended")
    @GroupThreads(1)
    public byte[] read1MiB(Store store) throws IOException {
        Artifact artifact = Objects.requireNonNull(store.growing);
        return artifact.read(artifact.storedBytes() - MOST_READ, MOST_READ);
    }

    @State(Scope.Thread)
    public static class Reading {
        private final ByteBuffer chunk = ByteBuffer.allocateDirect(4096);
    }
}
