package io.penstock.engine.view;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.artifact.ReadFile;
import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.artifact.text.TextRange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an output that are recorded: its file may be ahead of them, and nobody sees what is not recorded.
 *
 * @param length how many there are; these stay as they are
 * @param digest of exactly these bytes, once they are all there will ever be; nothing while more may come
 */
public record RecordedBytes(
        Artifact artifact, long length, @Nullable String digest) {

    static RecordedBytes of(Artifact artifact, long recorded) {
        // Asked first: when it is sealed, the length asked next is the last one.
        Sealed sealed = artifact.sealed();
        long length = Math.min(recorded, artifact.storedBytes());
        return new RecordedBytes(artifact, length, sealed != null && sealed.bytes() == length ? sealed.digest() : null);
    }

    /** The offset of the first byte that is kept; the others can be had no more. */
    public long firstByte() {
        return Math.min(length, artifact.firstByte());
    }

    /** Text of whole characters from about an offset on, as {@link Artifact#text} cuts it. Blocks. */
    public TextRange text(long offset, int maxBytes) throws IOException {
        // What is gone is said also by a page that would be empty.
        artifact.checkKept(Math.min(offset, artifact.storedBytes()));
        return artifact.text(offset, (int) Math.min(maxBytes, Math.max(0, length - offset)));
    }

    /** The bytes from an offset on: as many as are there and wanted, and none beyond the end. Blocks. */
    public byte[] read(long offset, int maxBytes) throws IOException {
        artifact.checkKept(Math.min(offset, artifact.storedBytes()));
        return offset >= length ? new byte[0] : artifact.read(offset, (int) Math.min(maxBytes, length - offset));
    }

    /** From one line to another, both included and counted from 1; those that are not there are left out. Blocks. */
    public LineRange lines(long first, long last) throws IOException {
        return artifact.lines(first, last, length);
    }

    /** The file that has them, if it is open already: what {@link #open} gives, without blocking. */
    public @Nullable ReadFile openAlready() throws IOException {
        ReadFile file = artifact.openAlready();
        return file == null ? null : whole(file);
    }

    /** The file that has them, for who sends from it and closes it; only where there is a byte. Blocks. */
    public ReadFile open() throws IOException {
        return whole(artifact.open());
    }

    private ReadFile whole(ReadFile file) throws IOException {
        long size = file.channel().size();
        if (size < length) {
            file.close();
            artifact.closeForNew();
            throw new IOException("Artifact " + artifact.id() + " of " + length + " bytes has a file of " + size
                    + ": someone has cut it");
        }
        return file;
    }
}
