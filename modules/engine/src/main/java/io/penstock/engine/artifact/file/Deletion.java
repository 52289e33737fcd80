package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The time and the author of a requested deletion. A small file keeps it for as long as the artifact would have been kept. If the file
 * cannot be written, for example on a full disk, the artifact is deleted without a note.
 *
 * @param by the principal who requested it
 */
public record Deletion(Instant at, String by) {

    /** More than any time and principal need. */
    private static final int MOST_BYTES = 4096;

    public void write(Path file) throws IOException {
        ArtifactFiles.put(file, ByteBuffer.wrap((at.toEpochMilli() + " " + by).getBytes(StandardCharsets.UTF_8)));
    }

    /** Reads the note; null if there is none or a torn one. */
    public static @Nullable Deletion read(Path file) throws IOException {
        byte[] bytes = new byte[MOST_BYTES];
        int length;
        try (FileChannel channel = ArtifactFiles.openToRead(file)) {
            length = ArtifactFiles.read(channel, 0, bytes, bytes.length);
        } catch (NoSuchFileException e) {
            return null;
        }
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        int space = text.indexOf(' ');
        try {
            return space < 0
                    ? null
                    : new Deletion(
                            Instant.ofEpochMilli(Long.parseLong(text.substring(0, space))), text.substring(space + 1));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
