package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.Gaps;
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
     * How far the digest may fall behind before a sealer is called: a call costs some microseconds, what is left at
     * the seal a millisecond. Smaller artifacts are read once, at their seal.
     */
    static final int CHASE_BYTES = 1024 * 1024;

    private final String id;
    private volatile long stored;
    private volatile @Nullable Sealed sealed;
    // The writer's, so that a sealer is called once per so many bytes.
    private long chasedFrom;

    /** How many of the newest are kept. */
    private final long tailBytes;

    /** Held while the oldest are given back. */
    final Object tailLock = new Object();

    private volatile LineMark kept;
    private volatile Gaps gaps;
    private volatile boolean uncuttable;

    // From here on the sealers': one at a time has this artifact, and hands it on through the lock of their queue.
    final Sealers.Turn turn = new Sealers.Turn();
    private final LineIndex lines;
    private @Nullable MessageDigest digest;
    private long digested;
    private boolean digestsTail;

    GrowingArtifact(String id) {
        this(id, Long.MAX_VALUE, LineMark.START, Gaps.NONE);
    }

    /**
     * @param tailBytes how many of the newest are kept, {@link Long#MAX_VALUE} for all
     * @param kept from where on there are any
     * @param gaps that are known already
     */
    GrowingArtifact(String id, long tailBytes, LineMark kept, Gaps gaps) {
        this.id = id;
        this.tailBytes = tailBytes;
        this.kept = kept;
        this.gaps = gaps;
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

    /** To be said before it has bytes behind the last of them. */
    void become(Gaps more) {
        gaps = more;
    }

    /** To be said before what is in front of it goes. */
    void keepFrom(LineMark first) {
        kept = first;
    }

    void cannotBeCut() {
        uncuttable = true;
    }

    /** Whether the oldest bytes cannot be given back, so that no more are to be stored than fit. */
    boolean isUncuttable() {
        return uncuttable;
    }

    /** There will be no more: the digest is one of what is kept, which is read once more for it; says whether it is. */
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

    /** Says that so many bytes are completely written now; whether it is time to call a sealer. */
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

    /** How many bytes follow without a gap; behind one that is next, which the digest leaves out. */
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
