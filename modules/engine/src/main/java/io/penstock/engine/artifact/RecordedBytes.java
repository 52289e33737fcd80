package io.penstock.engine.artifact;

import io.penstock.engine.artifact.text.TextRange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The recorded bytes of an output. Its file may have more, which no reader may see before they are recorded.
 *
 * @param length the number of recorded bytes, which never change
 * @param digest the digest of exactly these bytes if the artifact is sealed; null while more may follow
 */
public record RecordedBytes(
        Artifact artifact, long length, @Nullable String digest) {

    static RecordedBytes of(Artifact artifact, long recorded) {
        // Before the length: if it is sealed now, the length read next is final.
        Sealed sealed = artifact.sealed();
        long length = Math.min(recorded, artifact.storedBytes());
        return new RecordedBytes(artifact, length, sealed != null && sealed.bytes() == length ? sealed.digest() : null);
    }

    /** The offset of the first byte that has not been trimmed. */
    public long firstByte() {
        return Math.min(length, artifact.firstByte());
    }

    /** Text of whole characters from about this offset, cut as {@link Artifact#text} does. Blocks. */
    public TextRange text(long offset, int maxBytes) throws IOException {
        // A range that was trimmed is refused even if its page would be empty.
        artifact.checkKept(Math.min(offset, artifact.storedBytes()));
        return artifact.text(offset, (int) Math.min(maxBytes, Math.max(0, length - offset)));
    }

    /** The bytes from this offset, at most {@code maxBytes}; none beyond the end. Blocks. */
    public byte[] read(long offset, int maxBytes) throws IOException {
        artifact.checkKept(Math.min(offset, artifact.storedBytes()));
        return offset >= length ? new byte[0] : artifact.read(offset, (int) Math.min(maxBytes, length - offset));
    }

    /** Reads a range of lines, both ends included and counted from 1; missing lines are omitted. Blocks. */
    public LineRange lines(long first, long last) throws IOException {
        return artifact.lines(first, last, length);
    }

    /** The same file as {@link #open} returns, if it is open already. Does not block. */
    public @Nullable ReadFile openAlready() throws IOException {
        ReadFile file = artifact.openAlready();
        return file == null ? null : whole(file);
    }

    /** Opens the file for sending from it; the caller closes it. Must have at least one byte. Blocks. */
    public ReadFile open() throws IOException {
        return whole(artifact.open());
    }

    private ReadFile whole(ReadFile file) throws IOException {
        long size = file.channel().size();
        if (size < length) {
            file.close();
            artifact.closeForNew();
            throw new IOException("Artifact " + artifact.id() + " of " + length + " bytes has a file of " + size
                    + ": the file was truncated from outside");
        }
        return file;
    }
}
