package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.file.OpenFile;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineIndex;
import io.penstock.engine.artifact.text.LineMark;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * An artifact from its start to its seal. Its writer moves {@code stored} on, readers look at that, and one sealer at a
 * time follows with the digest and the line index.
 */
final class GrowingArtifact implements ArtifactContent {

    /**
     * How far the digest may fall behind before a sealer is called: a call costs some microseconds, computing the rest
     * at the seal a millisecond. Smaller artifacts are read once, at their seal.
     */
    static final int CHASE_BYTES = 1024 * 1024;

    private final String id;
    private volatile long stored;
    private final @Nullable OpenFile file;
    private volatile @Nullable Sealed sealed;
    // Used by the writer, which notifies a sealer once per CHASE_BYTES.
    private long chasedFrom;

    /** The number of newest bytes that are kept. */
    private final long tailBytes;

    /** Held while the oldest bytes are removed. */
    final Object tailLock = new Object();

    private volatile LineMark kept;
    private volatile Gaps gaps;
    private volatile boolean uncuttable;

    // Used by the sealers from here on: one at a time owns this artifact, and passes it on under the lock of their
    // queue.
    final Sealers.Turn turn = new Sealers.Turn();
    private final LineIndex lines;
    private @Nullable MessageDigest digest;
    private long digested;
    private boolean digestsTail;

    GrowingArtifact(String id) {
        this(id, Long.MAX_VALUE, LineMark.START, Gaps.NONE, null);
    }

    /**
     * @param tailBytes the number of newest bytes that are kept, {@link Long#MAX_VALUE} for all
     * @param kept the first stored byte
     * @param gaps the gaps that are already known
     * @param file the file that its writer writes to; null if it gets no more bytes
     */
    GrowingArtifact(String id, long tailBytes, LineMark kept, Gaps gaps, @Nullable OpenFile file) {
        this.id = id;
        this.tailBytes = tailBytes;
        this.kept = kept;
        this.gaps = gaps;
        this.file = file;
        this.digested = kept.offset();
        this.digestsTail = kept.offset() > 0;
        this.lines = new LineIndex(kept);
    }

    long tailBytes() {
        return tailBytes;
    }

    boolean keepsTail() {
        return tailBytes < Long.MAX_VALUE;
    }

    @Override
    public LineMark kept() {
        return kept;
    }

    @Override
    public Gaps gaps() {
        return gaps;
    }

    /** Sets the gaps; call it before bytes are stored behind the last of them. */
    void become(Gaps more) {
        gaps = more;
    }

    /** Sets the first kept byte; call it before the bytes in front of it are removed. */
    void keepFrom(LineMark first) {
        kept = first;
    }

    void cannotBeCut() {
        uncuttable = true;
    }

    /** Whether the oldest bytes cannot be removed, so that storing must stop. */
    boolean isUncuttable() {
        return uncuttable;
    }

    /** At the end: starts the digest again at the first kept byte if bytes were removed; returns whether there is something to read for it. */
    boolean digestTail() {
        if (digestsTail || kept.offset() == 0) {
            return false;
        }
        digestsTail = true;
        digest = null;
        digested = kept.offset();
        return digested < stored;
    }

    String id() {
        return id;
    }

    @Nullable
    OpenFile file() {
        return file;
    }

    /** Sets the number of completely written bytes; returns whether to notify a sealer. */
    boolean grewTo(long bytes) {
        stored = bytes;
        if (bytes - chasedFrom < CHASE_BYTES) {
            return false;
        }
        chasedFrom = bytes;
        return true;
    }

    long toDigest() {
        return stored - digested;
    }

    long digested() {
        return digested;
    }

    void digest(byte[] bytes, int length) {
        MessageDigest running = digest;
        if (running == null) {
            running = sha256();
            digest = running;
        }
        running.update(bytes, 0, length);
        if (lines.end().offset() == digested) {
            lines.add(bytes, length);
        }
        digested += length;
    }

    /** The number of bytes without a gap that the digest reads next. A gap at the current place is skipped first. */
    long digestibleBytes() {
        Gap next = gaps.next(digested);
        if (next != null && next.holds(digested)) {
            if (lines.end().offset() == next.from().offset()) {
                lines.skip(next);
            }
            digested = next.to().offset();
            next = gaps.next(digested);
        }
        return next == null ? stored - digested : Math.min(stored, next.from().offset()) - digested;
    }

    byte[] finishDigest() {
        MessageDigest running = digest;
        digest = null;
        return (running == null ? sha256() : running).digest();
    }

    LineIndex lines() {
        return lines;
    }

    void become(Sealed end) {
        sealed = end;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256, this one does not", e);
        }
    }

    @Override
    public long storedBytes() {
        return stored;
    }

    @Override
    public @Nullable Sealed sealed() {
        return sealed;
    }

    @Override
    public LineMark before(long n) {
        return lines.before(n);
    }

    @Override
    public LineMark counted() {
        return lines.end();
    }
}
