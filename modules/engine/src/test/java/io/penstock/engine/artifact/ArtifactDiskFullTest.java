package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real small tmpfs, so only where this may be mounted. */
class ArtifactDiskFullTest {
    private static final int DISK = 1 << 20;

    @TempDir
    Path directory;

    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK, "tmpfs", directory.toString());
        assumeTrue(mounted, "no tmpfs can be mounted here");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            run("umount", directory.toString());
        }
    }

    @Test
    void storingStopsAndCountingContinuesOnAFullDisk() throws Exception {
        Path ballast = Files.write(directory.resolve("ballast"), new byte[DISK / 2]);
        byte[] content = NaiveText.content(new java.util.Random(5), 2 * DISK);
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"))) {
            ArtifactWriter writer = store.create("full", Long.MAX_VALUE);
            long stored = 0;
            for (int at = 0; at < content.length; at += 50_000) {
                stored += writer.append(ByteBuffer.wrap(content, at, Math.min(50_000, content.length - at)));
            }
            assertEquals(stored, writer.bytesStored());
            assertEquals(content.length, writer.bytesTotal());
            assertTrue(stored > DISK / 4 && stored <= DISK / 2, "stored " + stored);
            assertTrue(writer.truncated());
            String error = Objects.requireNonNull(writer.error());
            assertEquals(
                    "Storing stopped after " + stored + " bytes: No space left on device (" + writer.path() + ")",
                    error);

            Files.delete(ballast);
            assertEquals(0, writer.append(ByteBuffer.allocate(10)), "too little room to go on");
            assertEquals(error, writer.error());
            Sealed sealed = await(store.seal(writer.end()));
            assertEquals(stored, sealed.bytes());
            byte[] prefix = Arrays.copyOf(content, (int) stored);
            assertEquals(NaiveText.digest(prefix), sealed.digest());
            assertArrayEquals(prefix, store.find("full").read(0, DISK));
            assertEquals(stored, Files.size(store.find("full").file()));

            ArtifactWriter next = store.create("next", Long.MAX_VALUE);
            assertEquals(10, next.append(ByteBuffer.allocate(10)), "another artifact is stored again");
            assertNull(next.error());
        }
    }

    @Test
    void outputsLeaveTheReserveFree() throws Exception {
        long reserve = DISK / 2;
        try (ArtifactStore store = ArtifactStore.open(directory.resolve("artifacts"), 8, 8, reserve)) {
            ArtifactWriter writer = store.create("large", Long.MAX_VALUE);
            for (int at = 0; at < 2 * DISK; at += 10_000) {
                writer.append(ByteBuffer.allocate(10_000));
            }
            assertTrue(writer.bytesStored() > DISK / 4, "stored " + writer.bytesStored());
            assertTrue(directory.toFile().getUsableSpace() >= reserve, "the reserve is used");
            assertEquals(
                    "Storing stopped after " + writer.bytesStored() + " bytes: less than " + reserve
                            + " bytes of its disk are free, which are reserved for the ledger (" + writer.path() + ")",
                    writer.error());
            assertEquals(0, store.create("next", Long.MAX_VALUE).append(ByteBuffer.allocate(10)));

            await(store.seal(writer.end()));
            store.delete("large");
            assertEquals(10, store.create("later", Long.MAX_VALUE).append(ByteBuffer.allocate(10)));
        }
    }

    @Test
    void sealIsWrittenLaterIfTheDiskIsFull() throws Exception {
        Path root = directory.resolve("artifacts");
        Path ballast = directory.resolve("ballast");
        Sealed sealed;
        try (ArtifactStore store = ArtifactStore.open(root)) {
            ArtifactWriter first = store.create("first", Long.MAX_VALUE);
            first.append(ByteBuffer.allocate(5000));
            fill(ballast);
            ArtifactWriter nothing = store.create("nothing", Long.MAX_VALUE);
            assertEquals(0, nothing.append(ByteBuffer.allocate(10)));
            assertNotNull(nothing.error());
            assertEquals(0, await(store.seal(nothing.end())).bytes());
            sealed = await(store.seal(first.end()));
            assertEquals(NaiveText.digest(new byte[5000]), sealed.digest());
            assertEquals(sealed, store.find("first").sealed());
            Files.delete(ballast);
            store.retain(Retention.FOREVER);
        }
        try (ArtifactStore store = ArtifactStore.open(root)) {
            assertEquals(sealed, store.find("first").sealed());
            assertNotNull(store.find("nothing").sealed());
        }
    }

    private static void fill(Path ballast) throws IOException {
        try (var out = Files.newOutputStream(ballast)) {
            for (int i = 0; i < DISK; i += 512) {
                out.write(new byte[512]);
            }
        } catch (IOException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e.toString());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
