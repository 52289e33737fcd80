package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.text.TextRange;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactConcurrencyTest {
    @TempDir
    Path directory;

    @Test
    void readerSeesOnlyAGrowingPrefix() throws Exception {
        byte[] content = NaiveText.content(new Random(7), 24 << 20);
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"));
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            ArtifactWriter writer = store.create("growing", Long.MAX_VALUE);
            List<java.util.concurrent.Future<Long>> readers = new ArrayList<>();
            for (int seed = 0; seed < 2; seed++) {
                Random random = new Random(seed);
                readers.add(threads.submit(() -> readUntilSealed(store.find("growing"), content, random)));
            }
            java.util.concurrent.Future<Future<Sealed>> written = threads.submit(() -> {
                Random random = new Random(9);
                for (int at = 0; at < content.length; ) {
                    int length = Math.min(content.length - at, 1 + random.nextInt(65536));
                    writer.append(ByteBuffer.wrap(content, at, length));
                    at += length;
                }
                return store.seal(writer.end());
            });
            assertEquals(
                    NaiveText.digest(content),
                    await(written.get(60, TimeUnit.SECONDS)).digest());
            for (java.util.concurrent.Future<Long> reader : readers) {
                assertTrue(reader.get(60, TimeUnit.SECONDS) > 0, "something was read while it grew");
            }
        }
    }

    /** Asks for a range, a page of text and some lines, as often as there is time. */
    private static long readUntilSealed(Artifact artifact, byte[] content, Random random) throws Exception {
        long seen = 0;
        long reads = 0;
        boolean sealed;
        do {
            sealed = artifact.sealed() != null;
            long stored = artifact.storedBytes();
            assertTrue(stored >= seen, "it does not shrink");
            seen = stored;
            int from = random.nextInt((int) stored + 1);
            byte[] read = artifact.read(from, 65536);
            assertTrue(read.length >= Math.min(65536, stored - from), "what was visible can be read");
            assertArrayEquals(Arrays.copyOfRange(content, from, from + read.length), read);
            TextRange text = artifact.text(from, 4096);
            int at = (int) text.offset();
            assertEquals(NaiveText.decode(Arrays.copyOfRange(content, at, at + text.length())), text.text());
            long first = 1L + random.nextInt((int) Math.max(1, artifact.lineCount()));
            ByteRange lines = artifact.lines(first, first + 2).bytes();
            if (lines.length() > 0 && lines.offset() > 0) {
                assertEquals('\n', content[(int) lines.offset() - 1], "a line starts behind a line feed");
            }
            reads++;
        } while (!sealed);
        assertEquals(content.length, seen);
        return reads;
    }

    @Test
    void writersOfManyThreadsShareFewOpenFiles() throws Exception {
        int threads = 4;
        int perThread = 20;
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 5);
                ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Callable<List<Future<Sealed>>>> shards = new ArrayList<>();
            for (int shard = 0; shard < threads; shard++) {
                String name = "shard" + shard + ".";
                shards.add(() -> writeInTurns(store, name, perThread));
            }
            byte[] expected = new byte[200 * 11];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = (byte) (i / 11);
            }
            for (java.util.concurrent.Future<List<Future<Sealed>>> shard : pool.invokeAll(shards)) {
                for (Future<Sealed> sealed : shard.get()) {
                    assertEquals(NaiveText.digest(expected), await(sealed).digest());
                }
            }
            assertEquals(0, store.openFiles());
        }
    }

    private static List<Future<Sealed>> writeInTurns(ArtifactStore store, String name, int count) {
        List<ArtifactWriter> writers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            writers.add(store.create(name + i, Long.MAX_VALUE));
        }
        byte[] bytes = new byte[11];
        for (int round = 0; round < 200; round++) {
            Arrays.fill(bytes, (byte) round);
            for (ArtifactWriter writer : writers) {
                assertEquals(11, writer.append(ByteBuffer.wrap(bytes)));
            }
            // Each thread may be just opening one more.
            assertTrue(store.openFiles() <= 5 + 4, store.openFiles() + " files are open");
        }
        return writers.stream().map(writer -> store.seal(writer.end())).toList();
    }
}
