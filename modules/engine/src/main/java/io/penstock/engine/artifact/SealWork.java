package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.DigestBook;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineIndex;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads written bytes, usually from the page cache, into the digest and the line index, and writes the seal file. */
final class SealWork implements Sealers.Work {

    /** One turn: about a millisecond, so that other artifacts do not wait long behind a large one. */
    private static final int PIECE_BYTES = 1024 * 1024;

    private static final int CHUNK_BYTES = 256 * 1024;
    private static final int SMALL_BYTES = 8 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(SealWork.class);
    // One for each sealer thread; these live as long as the store.
    private static final ThreadLocal<byte[]> CHUNK = ThreadLocal.withInitial(() -> new byte[CHUNK_BYTES]);

    private final ArtifactFiles files;
    private final DigestBook book;
    private final ConcurrentMap<String, GrowingArtifact> growing;
    private final TailPuncher tails;
    private final ArrayDeque<GrowingArtifact> unnoted = new ArrayDeque<>();

    SealWork(ArtifactFiles files, DigestBook book, ConcurrentMap<String, GrowingArtifact> growing, TailPuncher tails) {
        this.files = files;
        this.book = book;
        this.growing = growing;
        this.tails = tails;
    }

    @Override
    public void follow(GrowingArtifact artifact) throws IOException {
        long until = artifact.digested() + Math.min(PIECE_BYTES, artifact.toDigest());
        if (artifact.digested() == until) {
            return;
        }
        byte[] chunk = CHUNK.get();
        try (FileChannel channel = ArtifactFiles.openToRead(files.bytes(artifact.id()))) {
            while (artifact.digested() < until) {
                int wanted = (int) Math.min(chunk.length, artifact.digestibleBytes());
                int length = ArtifactFiles.read(channel, artifact.digested(), chunk, wanted);
                if (length < wanted) {
                    throw new IOException("Artifact " + artifact.id() + " of " + artifact.storedBytes()
                            + " bytes has a shorter file: someone has cut it");
                }
                artifact.digest(chunk, length);
            }
        }
        if (artifact.keepsTail()) {
            tails.cutLater(artifact);
        }
    }

    /** The end of the written bytes, with the line feeds before it; of a last byte that is not stored, it is not known whether it is one. */
    LineMark endOf(GrowingArtifact artifact, Recorded recorded) throws IOException {
        var last = new byte[1];
        long end = recorded.totalBytes();
        if (recorded.storedBytes() == end) {
            try (FileChannel channel = ArtifactFiles.openToRead(files.bytes(artifact.id()))) {
                ArtifactFiles.read(channel, end - 1, last, 1);
            }
        }
        return new LineMark(end, recorded.newlines() + Newlines.count(last, 0, 1));
    }

    /** The end of the stored bytes, with the line feeds before it. Reads them all. */
    LineMark countLines(GrowingArtifact artifact, long storedBytes) throws IOException {
        long newlines = artifact.kept().newlines();
        long at = artifact.kept().offset();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (FileChannel channel = ArtifactFiles.openToRead(files.bytes(artifact.id()))) {
            while (at < storedBytes) {
                Gap gap = artifact.gaps().next(at);
                if (gap != null && gap.holds(at)) {
                    newlines += gap.to().newlines() - gap.from().newlines();
                    at = gap.to().offset();
                    continue;
                }
                long end = gap == null
                        ? storedBytes
                        : Math.min(storedBytes, gap.from().offset());
                int length = ArtifactFiles.read(channel, at, chunk, (int) Math.min(chunk.length, end - at));
                if (length == 0) {
                    throw new IOException("artifact " + artifact.id() + " has a shorter file than recorded");
                }
                newlines += Newlines.count(chunk, 0, length);
                at += length;
            }
        }
        return new LineMark(storedBytes, newlines);
    }

    /** Releases the disk space of trimmed bytes first: after this, no more of it is released. */
    @Override
    public boolean isWhole(GrowingArtifact artifact) {
        if (artifact.toDigest() > 0) {
            return false;
        }
        if (artifact.keepsTail()) {
            tails.cut(artifact);
        }
        return !artifact.digestTail();
    }

    @Override
    public Sealed end(GrowingArtifact artifact) {
        String digest = SealFile.digestText(artifact.finishDigest());
        Sealed sealed = new Sealed(artifact.id(), artifact.digested(), digest);
        artifact.become(sealed);
        try {
            note(artifact, sealed);
            growing.remove(artifact.id(), artifact);
        } catch (IOException e) {
            LOG.warn("The seal of artifact {} cannot be noted yet", artifact.id(), e);
            keepUnnoted(artifact);
        }
        return sealed;
    }

    private void note(GrowingArtifact artifact, Sealed sealed) throws IOException {
        LineIndex index = sealed.bytes() > SMALL_BYTES ? artifact.lines() : null;
        byte[] digest = Sealed.digestBytes(sealed.digest());
        long newlines = artifact.lines().end().newlines();
        ArtifactFiles.put(files.seal(artifact.id()), SealFile.form(sealed.bytes(), newlines, digest, index));
        // Every artifact without a byte has the same digest, so looking one up by it is of no use.
        if (sealed.bytes() > 0) {
            book.add(digest, artifact.id());
        }
    }

    /** Known as sealed until this process ends; {@link #noteAgain} makes it last. */
    private synchronized void keepUnnoted(GrowingArtifact artifact) {
        unnoted.addLast(artifact);
        if (unnoted.size() > Limits.ARTIFACT_UNNOTED_SEALS) {
            GrowingArtifact forgotten = unnoted.removeFirst();
            growing.remove(forgotten.id(), forgotten);
        }
    }

    /** Writes the notes that a full disk refused, the oldest first, until it refuses again. */
    synchronized void noteAgain() {
        for (GrowingArtifact artifact = unnoted.peekFirst(); artifact != null; artifact = unnoted.peekFirst()) {
            Sealed sealed = artifact.sealed();
            try {
                // An artifact that was deleted meanwhile is no longer in the map.
                if (sealed != null && growing.get(artifact.id()) == artifact) {
                    note(artifact, sealed);
                    growing.remove(artifact.id(), artifact);
                }
            } catch (IOException e) {
                LOG.warn("The seals of {} artifacts cannot be noted yet", unnoted.size(), e);
                return;
            }
            unnoted.removeFirst();
        }
    }
}
