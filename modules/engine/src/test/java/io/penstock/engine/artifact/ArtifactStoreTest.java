package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.file.ArtifactsUnavailable;
import io.penstock.engine.artifact.text.TextRange;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArtifactStoreTest {
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
    void artifactWithoutAByteIsFoundAndHasNoFile() throws Exception {
        ArtifactWriter writer = store.create("empty", 100);
        assertEquals(0, store.find("empty").storedBytes());
        assertEquals(0, writer.append(ByteBuffer.allocate(0)));
        assertFalse(Files.exists(store.find("empty").file()));
        Sealed sealed = await(store.seal(writer.end()));
        assertEquals(NaiveText.digest(new byte[0]), sealed.digest());
        store.close();
        store = ArtifactStore.open(root);
        Artifact found = store.find("empty");
        assertEquals(sealed, found.sealed());
        assertFalse(Files.exists(found.file()));
        assertEquals(0, found.lineCount());
        assertEquals(new TextRange("", 0, 0), found.text(5, 10));
        assertEquals(0, found.read(0, 10).length);
        assertEquals(0, found.lines(1, 5).last());
        assertEquals(Optional.empty(), store.findByDigest(sealed.digest()));
    }

    @Test
    void bytesBeyondTheCapAreOnlyCounted() throws Exception {
        ArtifactWriter writer = store.create("capped", 10);
        ByteBuffer bytes = text("01234567");
        assertEquals(8, writer.append(bytes));
        assertFalse(writer.truncated());
        bytes = text("89abcdef");
        assertEquals(2, writer.append(bytes));
        assertFalse(bytes.hasRemaining());
        assertEquals(0, writer.append(text("more")));
        assertEquals(20, writer.bytesTotal());
        assertEquals(10, writer.bytesStored());
        assertTrue(writer.truncated());
        assertNull(writer.error());
        assertEquals(
                NaiveText.digest("0123456789".getBytes(StandardCharsets.UTF_8)),
                await(store.seal(writer.end())).digest());
        assertEquals(new TextRange("0123456789", 0, 10), store.find("capped").text(0, 100));
        assertThrows(IllegalStateException.class, () -> writer.append(text("x")));
    }

    @Test
    void capOfZeroStoresNothing() {
        ArtifactWriter writer = store.create("none", 0);
        assertEquals(0, writer.append(text("abc")));
        assertEquals(3, writer.bytesTotal());
        assertTrue(writer.truncated());
        assertEquals(0, await(store.seal(writer.end())).bytes());
    }

    @Test
    void filesAreReadableByTheirOwnerOnly() throws Exception {
        ArtifactWriter writer = store.create("secret", 100);
        writer.append(text("abc"));
        await(store.seal(writer.end()));
        int seen = 0;
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.toList()) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                assertEquals(Files.isDirectory(path) ? "rwx------" : "rw-------", mode, path.toString());
                seen++;
            }
        }
        assertEquals(6, seen, "root, a directory of digests, one of artifacts, and three files");
        assertEquals(
                root.resolve("..").normalize().resolve(store.find("secret").path()),
                store.find("secret").file());
    }

    @Test
    void openDirectoryBecomesPrivate() throws Exception {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        ArtifactStore.open(root).close();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(root)));
    }

    @Test
    void storeThatCannotBeOpenedFailsWithOneSentence() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        ArtifactsUnavailable e = assertThrows(ArtifactsUnavailable.class, () -> ArtifactStore.open(file));
        assertTrue(String.valueOf(e.getMessage()).contains(file + " is a file"), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "../x",
                "a/b",
                "/etc/passwd",
                "a\\b",
                ".hidden",
                "a\0b",
                "a\nb",
                "é",
                "-rf",
                "a b",
                "~"
            })
    void idThatIsNoPlainNameIsRefusedAndNeverFound(String id) throws Exception {
        Failure refused = assertThrows(Failure.class, () -> store.create(id, 10));
        assertEquals(FailureCode.INVALID_REQUEST, refused.code());
        assertEquals(
                FailureCode.ARTIFACT_NOT_FOUND,
                assertThrows(Failure.class, () -> store.find(id)).code());
        assertEquals(
                FailureCode.ARTIFACT_NOT_FOUND,
                assertThrows(Failure.class, () -> store.delete(id)).code());
        assertTrue(store.recover(id, 0).failed());
        try (Stream<Path> files = Files.walk(directory)) {
            assertEquals(List.of(directory, root), files.toList());
        }
    }

    @Test
    void idsThatLookLikeFileNamesDoNotCollide() throws Exception {
        List<String> ids =
                List.of("a", "a.bytes", "a.seal", "a.bytes.seal", "digest", "a:b", "a@b_c-d.e", "x".repeat(160));
        for (String id : ids) {
            ArtifactWriter writer = store.create(id, 1000);
            writer.append(text("of " + id));
            await(store.seal(writer.end()));
        }
        for (String id : ids) {
            assertEquals("of " + id, store.find(id).text(0, 1000).text());
        }
        assertThrows(Failure.class, () -> store.create("x".repeat(161), 1));
    }

    @Test
    void anIdIsUsedOnce() {
        ArtifactWriter writer = store.create("once", 10);
        assertThrows(IllegalStateException.class, () -> store.create("once", 10));
        assertEquals(1, writer.append(text("a")));
        await(store.seal(writer.end()));
        assertThrows(IllegalStateException.class, () -> store.create("once", 10));
        assertEquals("a", textOf("once"));
    }

    @Test
    void sealedArtifactIsFoundByItsDigest() {
        seal("first", "same");
        Sealed second = seal("second", "same");
        Sealed other = seal("other", "other");
        assertEquals(Optional.of("second"), store.findByDigest(second.digest()));
        assertEquals(Optional.of("other"), store.findByDigest(other.digest()));
        assertEquals(Optional.empty(), store.findByDigest("sha256:" + "0".repeat(64)));
        store.delete("second");
        assertEquals(Optional.of("first"), store.findByDigest(second.digest()));
        store.delete("first");
        assertEquals(Optional.empty(), store.findByDigest(second.digest()));
        assertEquals(
                FailureCode.INVALID_REQUEST,
                assertThrows(Failure.class, () -> store.findByDigest("sha256:../../x"))
                        .code());
    }

    @Test
    void growingArtifactIsNotDeletedAndOpenReadersReadOn() throws Exception {
        ArtifactWriter writer = store.create("kept", 100);
        writer.append(text("abc"));
        assertEquals(
                FailureCode.TASK_NOT_READY,
                assertThrows(Failure.class, () -> store.delete("kept")).code());
        await(store.seal(writer.end()));
        Artifact reader = store.find("kept");
        try (FileChannel open = FileChannel.open(reader.file())) {
            store.delete("kept");
            assertEquals(3, open.read(ByteBuffer.allocate(10), 0));
        }
        assertEquals(
                FailureCode.ARTIFACT_NOT_FOUND,
                assertThrows(Failure.class, () -> reader.read(0, 1)).code());
        assertEquals(
                FailureCode.ARTIFACT_NOT_FOUND,
                assertThrows(Failure.class, () -> store.find("kept")).code());
    }

    @Test
    void readersShareTheOpenFileUntilADeletion() throws Exception {
        ArtifactWriter writer = store.create("read", 100);
        writer.append(text("grow"));
        try (ReadFile first = store.find("read").open()) {
            writer.append(text("ing"));
            await(store.seal(writer.end()));
            Artifact found = store.find("read");
            ReadFile second = Objects.requireNonNull(found.openAlready());
            assertSame(first, second);
            assertEquals("growing", new String(found.read(0, 100), StandardCharsets.UTF_8));
            store.delete("read");
            assertThrows(Failure.class, () -> store.find("read"));
            assertNull(found.openAlready());
            assertEquals(7, first.channel().size());
            first.channel().read(ByteBuffer.allocate(7), 0);
            second.close();
            assertTrue(first.channel().isOpen());
        }
        assertEquals(
                FailureCode.ARTIFACT_NOT_FOUND,
                assertThrows(Failure.class, () -> store.find("read").read(0, 1)).code());
    }

    @Test
    void smallPiecesAreReadableAtOnceAndLeaveNoZeros() throws Exception {
        ArtifactWriter writer = store.create("chatty", Long.MAX_VALUE);
        var all = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            String piece = i % 5_000 == 4_999 ? "large ".repeat(1_000) : "piece " + i + "\n";
            all.append(piece);
            writer.append(text(piece));
            if (i % 997 == 0) {
                assertEquals(all.length(), store.find("chatty").storedBytes());
                int from = Math.max(0, all.length() - 100);
                assertEquals(
                        all.substring(from),
                        store.find("chatty").text(from, 200).text());
            }
        }
        assertTrue(Files.size(store.find("chatty").file()) > all.length(), "small pieces are not mapped");
        byte[] expected = all.toString().getBytes(StandardCharsets.UTF_8);
        assertEquals(
                new Sealed("chatty", expected.length, NaiveText.digest(expected)), await(store.seal(writer.end())));
        assertEquals(expected.length, Files.size(store.find("chatty").file()));
    }

    @Test
    void truncatedFileStopsOnlyItsOwnStoring() throws Exception {
        ArtifactWriter writer = store.create("cut", Long.MAX_VALUE);
        for (int i = 0; i < 100; i++) {
            writer.append(text("piece " + i + "\n"));
        }
        try (FileChannel other = FileChannel.open(store.find("cut").file(), java.nio.file.StandardOpenOption.WRITE)) {
            other.truncate(0);
        }
        writer.append(text("one more\n"));
        String error = writer.error();
        assertTrue(error != null && error.contains("not as long as it was"), error);
        assertEquals(0, writer.append(text("counted only\n")));
        assertTrue(writer.truncated());
    }

    @Test
    void moreArtifactsAreReadThanAreKeptOpen() throws Exception {
        store.create("held", 100).append(text("held"));
        ReadFile held = store.find("held").open();
        for (int i = 0; i < 2 * Limits.ARTIFACT_READ_FILES; i++) {
            ArtifactWriter writer = store.create("a" + i, 100);
            writer.append(text("of " + i));
            await(store.seal(writer.end()));
            assertEquals("of " + i, new String(store.find("a" + i).read(0, 100), StandardCharsets.UTF_8));
        }
        assertNull(store.find("held").openAlready());
        assertTrue(held.channel().isOpen(), "closed under its reader");
        held.close();
        assertFalse(held.channel().isOpen());
        store.closeUnread();
        store.find("a255").read(0, 100);
        store.closeUnread();
        assertNull(store.find("a200").openAlready(), "it was not read for a while");
        ReadFile lately = Objects.requireNonNull(store.find("a255").openAlready());
        store.closeUnread();
        store.closeUnread();
        assertNull(store.find("a255").openAlready());
        assertTrue(lately.channel().isOpen());
        lately.close();
        assertEquals("held", new String(store.find("held").read(0, 100), StandardCharsets.UTF_8));
    }

    @Test
    void tornSealFileIsNoSeal() throws Exception {
        seal("torn", "abc");
        Path note = sealFile("torn");
        for (int length = 0; length < Files.size(note); length += 7) {
            byte[] whole = Files.readAllBytes(note);
            Files.write(note, Arrays.copyOf(whole, length));
            assertNull(store.find("torn").sealed(), "cut to " + length);
            assertEquals(3, await(store.recover("torn", 3)).bytes());
            assertArrayEquals(whole, Files.readAllBytes(note));
        }
    }

    private Sealed seal(String id, String content) {
        ArtifactWriter writer = store.create(id, Long.MAX_VALUE);
        writer.append(text(content));
        return await(store.seal(writer.end()));
    }

    private String textOf(String id) {
        try {
            return store.find(id).text(0, 1000).text();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path sealFile(String id) {
        return store.find(id).file().resolveSibling(id + ".seal");
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
