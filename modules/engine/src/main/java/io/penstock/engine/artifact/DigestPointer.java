package io.penstock.engine.artifact;

import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The file that leads from a digest to the artifact that was sealed with it last, which retention deletes last. Always
 * as long, so that writing another one over it leaves nothing of the first. Whoever follows it checks where it led.
 */
final class DigestPointer {

    private static final int BYTES = Limits.ARTIFACT_ID_CHARS + 1;

    private DigestPointer() {}

    static void put(Path file, String artifactId) throws IOException {
        byte[] padded = new byte[BYTES];
        Arrays.fill(padded, (byte) ' ');
        byte[] id = artifactId.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(id, 0, padded, 0, id.length);
        padded[BYTES - 1] = '\n';
        ArtifactFiles.put(file, ByteBuffer.wrap(padded));
    }

    static @Nullable String follow(Path file) throws IOException {
        byte[] padded = new byte[BYTES];
        try (FileChannel channel = ArtifactFiles.openToRead(file)) {
            int length = ArtifactFiles.read(channel, 0, padded, BYTES);
            String id = new String(padded, 0, length, StandardCharsets.US_ASCII).strip();
            return ArtifactFiles.isId(id) ? id : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
