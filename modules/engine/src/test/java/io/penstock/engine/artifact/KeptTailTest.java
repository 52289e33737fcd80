package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts that keep their tail, whose oldest bytes are released on the disk while others read. */
class KeptTailTest {

    private static final int MIB = 1 << 20;
    private static final int LINE = 1000;

    @TempDir
    Path directory;

    /** No byte of it is a zero, and every 1000th ends a line. */
    private static byte at(long offset) {
        return offset % LINE == LINE - 1 ? (byte) '\n' : (byte) (32 + offset % 223);
    }

    private static void write(ArtifactWriter writer, long bytes) {
        byte[] piece = new byte[LINE * 50];
        for (long end = writer.bytesTotal() + bytes; writer.bytesTotal() < end; ) {
            long from = writer.bytesTotal();
            for (int i = 0; i < piece.length; i++) {
                piece[i] = at(from + i);
            }
            writer.append(ByteBuffer.wrap(piece));
        }
    }

    private static void check(long offset, byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != at(offset + i)) {
                throw new AssertionError("byte " + (offset + i) + " is " + bytes[i]);
            }
        }
    }

    @Test
    void readersNeverSeeAHole() throws Exception {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            assumeTrue(store.canKeepTails(), "no holes here");
            ArtifactWriter writer = store.create("tail", MIB, true);
            write(writer, 2 * MIB);
            Artifact artifact = store.find("tail");
            var begun = new CountDownLatch(1);
            var failed = new AtomicReference<@Nullable Throwable>();
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    while (artifact.sealed() == null) {
                        readAtTheEdge(artifact);
                        begun.countDown();
                    }
                } catch (IOException | RuntimeException | Error e) {
                    failed.set(e);
                    begun.countDown();
                }
            });
            begun.await();
            write(writer, 60 * MIB);
            Sealed sealed = await(store.seal(writer.end()));
            reader.join();
            assertEquals(null, failed.get());
            long first = artifact.firstByte();
            assertTrue(sealed.bytes() - first >= MIB && sealed.bytes() - first < MIB + 128 * 1024, "from " + first);
            byte[] kept = artifact.read(first, 2 * MIB);
            check(first, kept);
            assertEquals(sealed.bytes() - first, kept.length);
            assertEquals(NaiveText.digest(kept), sealed.digest());
            assertEquals(sealed.bytes() / LINE, artifact.lineCount());
            long line = first / LINE + 2;
            assertEquals((line - 1) * LINE, artifact.lines(line, line).bytes().offset());
            assertThrows(BytesGone.class, () -> artifact.lines(line - 1, line));
        }
    }

    private static void readAtTheEdge(Artifact artifact) throws IOException {
        long first = artifact.firstByte();
        try {
            check(first, artifact.read(first, 100_000));
            LineRange lines = artifact.lines(first / LINE + 2, first / LINE + 3);
            assertEquals((first / LINE + 1) * LINE, lines.bytes().offset());
            assertEquals(2 * LINE, lines.bytes().length());
        } catch (BytesGone e) {
            assertTrue(e.first() > first, e.getMessage());
        }
    }

    @Test
    void retentionCountsOnlyTheKeptTail() {
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            assumeTrue(store.canKeepTails(), "no holes here");
            ArtifactWriter writer = store.create("tail", MIB, true);
            write(writer, 20 * MIB);
            await(store.seal(writer.end()));
            long bytes = store.retain(Retention.FOREVER, Instant.now()).bytes();
            assertTrue(bytes >= MIB && bytes < 2 * MIB, bytes + " bytes");
            store.delete("tail");
            assertFalse(
                    directory.resolve("artifacts").resolve("tail.kept").toFile().exists());
        }
    }

    @Test
    void headIsKeptWhereHolesAreNotSupported() throws Exception {
        assumeTrue(run("mount", "-t", "ramfs", "ramfs", directory.toString()), "no ramfs can be mounted here");
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            assertFalse(store.canKeepTails());
            ArtifactWriter writer = store.create("head", MIB, true);
            assertFalse(writer.keepsTail());
            write(writer, 3 * MIB);
            assertEquals(MIB, await(store.seal(writer.end())).bytes());
            check(0, store.find("head").read(0, MIB));
        } finally {
            run("umount", directory.toString());
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    }
}
