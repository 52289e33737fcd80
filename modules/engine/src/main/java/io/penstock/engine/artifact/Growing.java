package io.penstock.engine.artifact;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * An artifact from its start to its seal. Its writer moves {@code stored} on, readers look at that, and one sealer at a
 * time follows with the digest and the line index.
 */
final class Growing implements Contents {

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

    // From here on the sealers': one at a time has this artifact, and hands it on through the lock of their queue.
    final Sealers.Turn turn = new Sealers.Turn();
    private final LineIndex lines = new LineIndex();
    private @Nullable MessageDigest digest;
    private long digested;

    Growing(String id) {
        this.id = id;
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
        lines.add(bytes, length);
        digested += length;
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

    private static MessageDigest sha256() {
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
