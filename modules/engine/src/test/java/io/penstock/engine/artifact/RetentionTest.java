package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.Deletion;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    @TempDir
    Path directory;

    private Path root = Path.of("");
    private ArtifactStore store = unopened();

    @SuppressWarnings("NullAway") // opened before each test
    private static ArtifactStore unopened() {
        return null;
    }

    @BeforeEach
    void open() {
        root = directory.resolve("artifacts");
        store = ArtifactStore.open(root);
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void retentionDeletesByAgeThenTheOldestBeyondTheTotal() throws Exception {
        Instant now = Instant.now();
        for (int i = 0; i < 10; i++) {
            seal("a" + i, "0123456789");
            sealedAt("a" + i, now.minus(Duration.ofHours(i)));
        }
        ArtifactWriter growing = store.create("growing", 1000);
        growing.append(ByteBuffer.allocate(500));
        assertEquals(new Retention.Outcome(10, 100, 0, 0), store.retain(Retention.FOREVER, now));
        assertEquals(
                new Retention.Outcome(8, 80, 2, 20),
                store.retain(new Retention(Duration.ofMinutes(450), Long.MAX_VALUE), now));
        assertEquals(new Retention.Outcome(3, 30, 5, 50), store.retain(new Retention(Duration.ofDays(9), 35), now));
        List<String> left = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            try {
                left.add(store.find("a" + i).id());
            } catch (Failure e) {
                assertEquals(FailureCode.ARTIFACT_NOT_FOUND, e.code());
            }
        }
        assertEquals(List.of("a0", "a1", "a2"), left);
        assertEquals(
                new Retention.Outcome(0, 0, 3, 30), store.retain(new Retention(Duration.ZERO, 0), now.plusSeconds(9)));
        assertEquals(500, store.find("growing").storedBytes());
    }

    @Test
    void retentionLeavesUnsealedFilesAloneForAnHour() throws Exception {
        store.create("left", 1000).append(ByteBuffer.wrap("abc".getBytes(StandardCharsets.UTF_8)));
        store.close();
        store = ArtifactStore.open(root);
        Retention nothing = new Retention(Duration.ZERO, 0);
        assertEquals(0, store.retain(nothing, Instant.now()).deletedArtifacts());
        assertEquals("abc", store.find("left").text(0, 10).text());
        assertEquals(
                1,
                store.retain(nothing, Instant.now().plus(Duration.ofHours(2))).deletedArtifacts());
    }

    @Test
    void digestBookDropsDeletedArtifactsOnly() throws Exception {
        Instant now = Instant.now();
        Sealed same = seal("kept", "same");
        for (int i = 0; i < 9; i++) {
            seal("gone" + i, "same");
            sealedAt("gone" + i, now.minus(Duration.ofHours(2)));
        }
        Path book = root.resolve("digest").resolve(same.digest().substring(7, 9));
        long lines = Files.size(book) / 10;
        assertEquals(
                9, store.retain(new Retention(Duration.ofHours(1), 1000), now).deletedArtifacts());
        assertEquals(lines, Files.size(book));
        assertEquals(Optional.of("kept"), store.findByDigest(same.digest()));
        Files.write(book, new byte[50], StandardOpenOption.APPEND);
        Sealed next = seal("next", "same");
        assertEquals(2 * lines, Files.size(book), "a torn line is written over");
        assertEquals(Optional.of("next"), store.findByDigest(next.digest()));
        assertTrue(Files.notExists(root.resolve("digest").resolve(book.getFileName() + ".new")));
    }

    @Test
    void notesAboutDeletionsExpire() throws Exception {
        Instant now = Instant.now();
        seal("deleted", "some bytes");
        store.delete("deleted", new Deletion(Instant.ofEpochMilli(1763460000000L), "user:alice"));
        store.retain(new Retention(Duration.ofHours(1), 1000), now);
        assertEquals(new Deletion(Instant.ofEpochMilli(1763460000000L), "user:alice"), store.deletion("deleted"));
        store.retain(new Retention(Duration.ofHours(1), 1000), now.plus(Duration.ofHours(2)));
        assertNull(store.deletion("deleted"));
    }

    private Sealed seal(String id, String content) {
        ArtifactWriter writer = store.create(id, Long.MAX_VALUE);
        writer.append(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
        return await(store.seal(writer.end()));
    }

    private void sealedAt(String id, Instant when) throws Exception {
        Files.setLastModifiedTime(store.find(id).file().resolveSibling(id + ".seal"), FileTime.from(when));
    }
}
