package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.file.TailFile;
import io.penstock.engine.artifact.text.LineIndex;
import io.penstock.engine.artifact.text.LineMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The small file next to a sealed artifact: its length, digest and count of line feeds, and the line index of one that
 * is larger than a stride. An artifact without a byte has nothing but this.
 */
record SealFile(Path file, Sealed sealed, long newlines, LineMark kept, Gaps gaps) implements ArtifactContent {

    // magic, bytes, newlines, 32 bytes of digest, checksum
    private static final int HEAD_BYTES = 4 + 8 + 8 + 32 + 4;
    private static final int CHECKED_BYTES = HEAD_BYTES - 4;
    private static final int MAGIC = 0x50534e31; // "PSN1"
    private static final String SHA256 = "sha256:";

    /** The bytes of the file; without an index if one scan of the artifact is as fast. */
    static ByteBuffer form(long bytes, long newlines, byte[] digest, @Nullable LineIndex index) {
        int indexBytes = index == null ? 0 : index.storedLength() + Integer.BYTES;
        ByteBuffer form = ByteBuffer.allocate(HEAD_BYTES + indexBytes);
        form.putInt(MAGIC).putLong(bytes).putLong(newlines).put(digest);
        form.putInt(checksum(form, 0, CHECKED_BYTES));
        if (index != null) {
            index.storeInto(form);
            form.putInt(checksum(form, HEAD_BYTES, indexBytes - Integer.BYTES));
        }
        return form.flip();
    }

    /** Reads the seal; null if there is none or a torn one, and the artifact is not sealed. */
    static @Nullable SealFile read(ArtifactFiles files, String artifactId) throws IOException {
        Path file = files.seal(artifactId);
        byte[] head = new byte[HEAD_BYTES];
        try (FileChannel channel = ArtifactFiles.openToRead(file)) {
            if (ArtifactFiles.read(channel, 0, head, HEAD_BYTES) < HEAD_BYTES) {
                return null;
            }
        } catch (NoSuchFileException e) {
            return null;
        }
        ByteBuffer form = ByteBuffer.wrap(head);
        if (form.getInt() != MAGIC || form.getInt(CHECKED_BYTES) != checksum(form, 0, CHECKED_BYTES)) {
            return null;
        }
        long bytes = form.getLong();
        long newlines = form.getLong();
        byte[] digest = new byte[32];
        form.get(digest);
        LineMark kept = bytes == 0 ? LineMark.START : TailFile.read(files.kept(artifactId));
        Gaps gaps = bytes == 0 ? Gaps.NONE : Gaps.read(files.gaps(artifactId)).within(bytes);
        return new SealFile(file, new Sealed(artifactId, bytes, digestText(digest)), newlines, kept, gaps);
    }

    static String digestText(byte[] digest) {
        return SHA256 + HexFormat.of().formatHex(digest);
    }

    @Override
    public long storedBytes() {
        return sealed.bytes();
    }

    @Override
    public LineMark before(long n) throws IOException {
        LineIndex index = index();
        return index == null ? LineMark.START : index.before(n);
    }

    @Override
    public LineMark counted() {
        return new LineMark(sealed.bytes(), newlines);
    }

    private @Nullable LineIndex index() throws IOException {
        try (FileChannel channel = ArtifactFiles.openToRead(file)) {
            int length = (int) (channel.size() - HEAD_BYTES);
            byte[] form = new byte[Math.max(0, length)];
            if (length <= Integer.BYTES || ArtifactFiles.read(channel, HEAD_BYTES, form, length) < length) {
                return null;
            }
            ByteBuffer buffer = ByteBuffer.wrap(form);
            int checked = length - Integer.BYTES;
            return buffer.getInt(checked) == checksum(buffer, 0, checked) ? LineIndex.restore(buffer) : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static int checksum(ByteBuffer form, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(form.array(), from, length);
        return (int) crc.getValue();
    }
}
