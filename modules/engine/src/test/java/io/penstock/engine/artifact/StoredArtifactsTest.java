package io.penstock.engine.artifact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.artifact.hole.FreeInodes;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredArtifactsTest {

    private static final byte[] BYTES = "what was found\n".getBytes(StandardCharsets.UTF_8);

    /** Of those bytes. */
    private static final String SHA256 = "5d44ec3b4601d9ec488b3c4b7cdf4687dab18c3507c0f032ad994df48684f1f7";

    @TempDir
    Path directory;

    private ArtifactStore store = unopened();

    @SuppressWarnings("NullAway") // opened before each test
    private static ArtifactStore unopened() {
        return null;
    }

    @BeforeEach
    void open() {
        store = ArtifactStore.open(directory.resolve("artifacts"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Sealed stored(byte[] bytes) {
        return await(store.store(bytes));
    }

    private static Sealed await(Future<Sealed> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private static void sealedAt(Path seal, Instant at) throws Exception {
        Files.setLastModifiedTime(seal, FileTime.from(at));
    }

    private Path seal(Sealed sealed) {
        Path bytes = store.find(sealed.artifactId()).file();
        return bytes.resolveSibling(sealed.artifactId() + ".seal");
    }

    @Test
    void equalBytesAreOneArtifactNamedByTheirDigest() throws Exception {
        Sealed first = stored(BYTES);
        assertEquals(new Sealed("stored-" + SHA256, BYTES.length, "sha256:" + SHA256), first);
        assertEquals(first, stored(BYTES.clone()));
        assertTrue(StoredArtifacts.isId(first.artifactId()));
        assertNotEquals(first.artifactId(), stored(new byte[] {1}).artifactId());
        Artifact artifact = store.find(first.artifactId());
        assertEquals(first, artifact.sealed());
        assertArrayEquals(BYTES, artifact.read(0, 1000));
        assertEquals(Optional.of(first.artifactId()), store.findByDigest(first.digest()));
        store.close();
        open();
        assertEquals(first, stored(BYTES));
        assertEquals(first, store.find(first.artifactId()).sealed());
    }

    @Test
    void manyCallersStoreEqualBytesAtOnce() throws Exception {
        var work = new ArrayList<Callable<Sealed>>();
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[20_000 + i % 4];
            work.add(() -> stored(bytes));
        }
        var found = new HashSet<Sealed>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (var each : threads.invokeAll(work)) {
                found.add(each.get());
            }
        }
        assertEquals(4, found.size());
        for (Sealed each : found) {
            assertArrayEquals(
                    new byte[(int) each.bytes()], store.find(each.artifactId()).read(0, 1 << 20));
        }
    }

    @Test
    void storingAgainRenewsTheTimeForWhichItIsKept() throws Exception {
        Sealed old = stored(BYTES);
        Sealed renewed = stored(new byte[] {1, 2, 3});
        Instant now = Instant.now();
        for (Sealed each : List.of(old, renewed)) {
            sealedAt(seal(each), now.minus(Duration.ofDays(40)));
        }
        stored(new byte[] {1, 2, 3});
        store.retain(new Retention(Duration.ofDays(30), Long.MAX_VALUE), now);
        assertNull(store.findOrNull(old.artifactId()));
        assertNull(store.deletion(renewed.artifactId()));
        assertEquals(renewed, store.find(renewed.artifactId()).sealed());
        Deletion removal = Objects.requireNonNull(store.deletion(old.artifactId()));
        assertEquals("retention", removal.by());
        assertTrue(Duration.between(now, removal.at()).abs().toMinutes() < 1, removal::toString);
        assertEquals(old, stored(BYTES));
        assertEquals(old, store.find(old.artifactId()).sealed());
    }

    /** A pass has looked at all files before it removes some. */
    @Test
    void whatIsStoredAgainDuringAPassStays() throws Exception {
        Sealed sealed = stored(BYTES);
        var files = ArtifactFiles.open(directory.resolve("artifacts"));
        var stored = new StoredArtifacts(store, files);
        Instant began = Instant.now();
        sealedAt(seal(sealed), began.plusMillis(1));
        assertEquals(false, stored.expire(sealed.artifactId(), began));
        assertEquals(sealed, store.find(sealed.artifactId()).sealed());
        assertEquals(true, stored.expire(sealed.artifactId(), began.plusSeconds(1)));
        assertNull(store.findOrNull(sealed.artifactId()));
    }

    @Test
    void whatADeadServerHalfWroteIsWrittenAnew() throws Exception {
        Sealed sealed = stored(BYTES);
        Path file = store.find(sealed.artifactId()).file();
        Files.delete(seal(sealed));
        Files.writeString(file, "what was lost, and more than that");
        store.close();
        open();
        assertNull(store.find(sealed.artifactId()).sealed());
        assertEquals(sealed, stored(BYTES));
        assertArrayEquals(BYTES, Files.readAllBytes(file));
    }

    @Test
    void belowTheReserveOfTheDiskNothingIsStored() {
        store.close();
        Path root = directory.resolve("artifacts");
        long more = root.toFile().getUsableSpace() * 2;
        store = ArtifactStore.open(root, 8, 8, more);
        assertRefused(BYTES, "less than " + more + " bytes of its disk are free");
    }

    @Test
    void whatAFullDiskRefusesLeavesNothing() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("small"));
        var disk = new SmallDisk(folder, 1 << 20);
        try {
            store.close();
            store = ArtifactStore.open(folder.resolve("artifacts"));
            Sealed before = stored(BYTES);
            disk.fill();
            assertRefused(new byte[100_000], "No space left");
            disk.empty();
            assertEquals(100_000, stored(new byte[100_000]).bytes());
            assertEquals(before, stored(BYTES));
        } finally {
            store.close();
            disk.unmount();
        }
    }

    /** Each takes two, however small it is. */
    @Test
    void belowTheReserveOfInodesNothingIsStored() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("small"));
        int reserve = Limits.DISK_RESERVE_INODES;
        String why = "fewer than " + reserve + " inodes of its disk are free";
        SmallDisk disk = SmallDisk.withInodes(folder, reserve + 1_000);
        try {
            store.close();
            store = ArtifactStore.open(folder.resolve("artifacts"), 8, 8, 1);
            Sealed first = stored(BYTES);
            ArtifactWriter begun = store.create("begun", Long.MAX_VALUE);
            begun.append(ByteBuffer.wrap(BYTES));
            var many = new ArrayList<Sealed>();
            Future<Sealed> next = store.store(new byte[] {0, 0});
            while (!next.failed() && many.size() < 600) {
                many.add(await(next));
                next = store.store(new byte[] {(byte) many.size(), (byte) (many.size() >> 8)});
            }
            assertRefused(new byte[] {1}, why);
            assertTrue(FreeInodes.of(folder) > reserve * 0.9, "the reserve is used");
            assertEquals(first, stored(BYTES));
            assertEquals(BYTES.length, begun.append(ByteBuffer.wrap(BYTES)));
            ArtifactWriter late = store.create("late", Long.MAX_VALUE);
            assertEquals(0, late.append(ByteBuffer.wrap(BYTES)));
            assertTrue(Objects.requireNonNull(late.error()).contains(why), late::error);

            for (Sealed each : many) {
                store.delete(each.artifactId());
            }
            assertEquals(1, stored(new byte[] {1}).bytes());
        } finally {
            store.close();
            disk.unmount();
        }
    }

    private void assertRefused(byte[] bytes, String why) {
        var refused = assertThrows(CompletionException.class, () -> stored(bytes));
        Failure failure = (Failure) Objects.requireNonNull(refused.getCause());
        assertEquals(FailureCode.QUOTA_EXCEEDED, failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(why), failure::getMessage);
    }
}
