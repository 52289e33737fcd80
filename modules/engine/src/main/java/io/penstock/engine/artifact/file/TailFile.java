package io.penstock.engine.artifact.file;

import io.penstock.engine.artifact.text.LineMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The small file next to an artifact whose oldest bytes were removed. It has the mark of the first kept byte, and is written before the
 * removal, so that no reader takes a hole for bytes, however the process ends.
 */
public final class TailFile {

    private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;

    private TailFile() {}

    public static void write(Path file, LineMark first) throws IOException {
        ByteBuffer form = ByteBuffer.allocate(BYTES).putLong(first.offset()).putLong(first.newlines());
        ArtifactFiles.put(file, form.putInt(checksum(form)).flip());
    }

    /** Reads the mark; the start if there is no file. For a damaged file the mark is unknown, so no byte counts as kept. */
    public static LineMark read(Path file) throws IOException {
        byte[] bytes = new byte[BYTES];
        try (FileChannel channel = ArtifactFiles.openToRead(file)) {
            if (ArtifactFiles.read(channel, 0, bytes, BYTES) < BYTES) {
                return new LineMark(Long.MAX_VALUE, 0);
            }
        } catch (NoSuchFileException e) {
            return LineMark.START;
        }
        ByteBuffer form = ByteBuffer.wrap(bytes);
        return form.getInt(BYTES - Integer.BYTES) == checksum(form)
                ? new LineMark(form.getLong(), form.getLong())
                : new LineMark(Long.MAX_VALUE, 0);
    }

    private static int checksum(ByteBuffer form) {
        var crc = new CRC32C();
        crc.update(form.array(), 0, BYTES - Integer.BYTES);
        return (int) crc.getValue();
    }
}
