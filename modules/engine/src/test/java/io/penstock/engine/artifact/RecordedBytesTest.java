package io.penstock.engine.artifact;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedBytesTest {

    private ArtifactStore store;
    private ArtifactWriter writer;

    @BeforeEach
    void write(@TempDir Path folder) {
        store = ArtifactStore.open(folder.resolve("artifacts"));
        writer = store.create("t.stdout", Long.MAX_VALUE);
        writer.append(ByteBuffer.wrap("one\ntwo\nthree\n".getBytes(StandardCharsets.US_ASCII)));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private RecordedBytes recorded(long bytes) {
        return RecordedBytes.of(store.find("t.stdout"), bytes);
    }

    @Test
    void unrecordedBytesAreNotVisible() throws IOException {
        RecordedBytes bytes = recorded(6);
        assertEquals(6, bytes.length());
        var lines = bytes.lines(1, Long.MAX_VALUE);
        assertEquals(2, lines.last());
        assertEquals(6, lines.bytes().length());
        assertEquals(0, recorded(0).lines(1, 1).bytes().length());
    }

    @Test
    void digestIsOfExactlyTheRecordedBytes() {
        assertNull(recorded(14).digest(), "it grows");
        Sealed sealed = await(store.seal(writer.end()));
        assertEquals(sealed.digest(), recorded(14).digest());
        assertNull(recorded(6).digest(), "the seal is ahead of what is recorded");
    }

    @Test
    void truncatedOrDeletedFileIsNotSent() throws IOException {
        await(store.seal(writer.end()));
        RecordedBytes bytes = recorded(14);
        bytes.open().close();
        try (FileChannel file = FileChannel.open(bytes.artifact().file(), StandardOpenOption.WRITE)) {
            file.truncate(3);
        }
        assertThrows(IOException.class, bytes::open);
        Files.delete(bytes.artifact().file());
        assertEquals(
                FailureCode.ARTIFACT_NOT_FOUND,
                assertThrows(Failure.class, bytes::open).code());
    }
}
