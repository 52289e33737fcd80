package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.OpenFile;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.engine.artifact.text.Newlines;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of an artifact, used by one thread. An append never fails: when the disk refuses a write, storing stops, and resumes at
 * the current offset once there is space; the bytes between are a gap. Beyond the cap nothing is stored. Bytes that are not stored are
 * counted, and kept in memory for a moment for live followers.
 */
public final class ArtifactWriter {

    /** The minimum time until storing is tried again, so that a full disk is not tried at each append. */
    private static final long STOPPED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String SHORT_FILE = "its file is not as long as it was";

    /** Bytes that were not stored, and the reason. */
    public record Missing(long offset, long bytes, String why) {}

    /**
     * Storing has stopped.
     *
     * @param from the end of the stored bytes
     * @param again whether storing is tried again when there is space
     */
    private record Stop(LineMark from, String why, boolean again, long nanos) {}

    private final ArtifactStore store;
    private final GrowingArtifact growing;
    private final OpenFile file;
    private final String path;
    private final long maxBytes;
    private long total;
    private long stored;
    private long newlines;
    private @Nullable Stop stop;
    private boolean everStopped;
    private @Nullable Missing gap;
    private @Nullable Missing lastGap;
    private boolean ended;

    ArtifactWriter(ArtifactStore store, GrowingArtifact growing, OpenFile file, String path, long maxBytes) {
        this.store = store;
        this.growing = growing;
        this.file = file;
        this.path = path;
        this.maxBytes = maxBytes;
    }

    /**
     * Continues after all that a dead server appended.
     *
     * @param end the end of the appended bytes
     * @param storedEnd the end of the stored ones; what is missing before the cap becomes a gap
     */
    void resume(LineMark end, LineMark storedEnd) {
        total = end.offset();
        newlines = end.newlines();
        stored = storedEnd.offset();
        if (stored < Math.min(total, maxBytes)) {
            long longAgo = System.nanoTime() - 2 * STOPPED_NANOS;
            stop = new Stop(storedEnd, "the server died before the output was stored again", true, longAgo);
            everStopped = true;
        }
        if (growing.grewTo(stored)) {
            store.chase(growing);
        }
    }

    public String artifactId() {
        return growing.id();
    }

    /** The path below the data directory, as in frames. */
    public String path() {
        return path;
    }

    /** Counts all of the bytes, stores as many as possible, and returns their number; readers see them at once. */
    public int append(ByteBuffer bytes) {
        if (ended) {
            throw new IllegalStateException("Artifact " + artifactId() + " has ended, nothing can be appended");
        }
        gap = null;
        int length = bytes.remaining();
        var begin = new LineMark(total, newlines);
        total += length;
        newlines += Newlines.count(bytes);
        int limit = bytes.limit();
        int start = bytes.position();
        int room = (int) Math.max(0, Math.min(length, maxBytes - begin.offset()));
        if (room > 0 && mayStore()) {
            bytes.limit(start + room);
            write(bytes, begin);
        }
        int kept = bytes.position() - start;
        if (kept < length) {
            bytes.limit(limit);
            store.keepUnstored(growing, begin.offset() + kept, bytes);
        }
        bytes.limit(limit).position(limit);
        if (kept > 0 && growing.grewTo(stored)) {
            store.chase(growing);
        }
        return kept;
    }

    private boolean mayStore() {
        Stop last = stop;
        return last == null
                || last.again()
                        && System.nanoTime() - last.nanos() > STOPPED_NANOS
                        && store.reserve().hasRoomAgain();
    }

    /** Stores bytes from the buffer's position on, and moves the position behind the stored ones. */
    private void write(ByteBuffer bytes, LineMark begin) {
        int start = bytes.position();
        String refused = put(bytes, begin.offset());
        Stop before = stop;
        if (before != null && bytes.position() > start) {
            String unnoted = note(before, begin);
            if (unnoted == null) {
                stop = null;
                before = null;
            } else {
                refused = unnoted;
                bytes.position(start);
            }
        }
        int kept = bytes.position() - start;
        if (kept > 0) {
            stored = begin.offset() + kept;
        }
        if (refused != null) {
            boolean again = !SHORT_FILE.equals(refused) && growing.gaps().list().size() < Limits.ARTIFACT_GAPS;
            long newlinesHere = Newlines.count(bytes.duplicate().flip().position(start));
            stop = before == null
                    ? new Stop(new LineMark(stored, begin.newlines() + newlinesHere), refused, again, System.nanoTime())
                    : new Stop(before.from(), before.why(), again, System.nanoTime());
            everStopped = true;
        }
    }

    /** Writes to the file; returns the reason if it did not take all bytes, or null. */
    private @Nullable String put(ByteBuffer bytes, long offset) {
        if (growing.isUncuttable()) {
            return "the oldest of them, which are not to be kept, cannot be given back to the disk";
        }
        String reserved = store.reserve().refusal(bytes.remaining(), stored == 0 ? ArtifactFiles.PER_ARTIFACT : 0);
        if (reserved != null) {
            return reserved;
        }
        int start = bytes.position();
        try {
            while (bytes.hasRemaining()) {
                // Each write advances the position, even if the next one fails.
                file.write(bytes, offset + bytes.position() - start);
            }
            return null;
        } catch (IOException e) {
            return reason(e);
        } catch (InternalError e) {
            // The JVM turns a SIGBUS into this error: the disk lacks a promised block, or the file was cut.
            return SHORT_FILE;
        }
    }

    /** Records the gap before the new bytes; returns the reason if that fails, or null. */
    private @Nullable String note(Stop before, LineMark end) {
        var noted = new Gap(before.from(), end);
        try {
            store.keepGap(growing, noted);
        } catch (IOException e) {
            return reason(e);
        }
        gap = new Missing(noted.from().offset(), noted.bytes(), before.why());
        lastGap = gap;
        return null;
    }

    static String reason(IOException e) {
        // The message of a FileSystemException is the path, which belongs to this machine.
        String reason = e instanceof FileSystemException file ? file.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }

    /**
     * Completes when the digest has almost caught up. A faster writer should wait for it; otherwise the seal takes long. Completes on the
     * caller's context if it has one.
     */
    public Future<Void> digestIsNear() {
        return store.near(growing);
    }

    /** Whether the newest bytes are kept: all are stored, and the oldest are removed. */
    public boolean keepsTail() {
        return growing.keepsTail();
    }

    public long bytesTotal() {
        return total;
    }

    public long bytesStored() {
        return stored;
    }

    /** Line feeds in all appended bytes, stored or not. */
    public long newlines() {
        return newlines;
    }

    public boolean truncated() {
        return stored < total;
    }

    /** The reason why storing is stopped now; null if it is not, or because of the cap. */
    public @Nullable String stopped() {
        return stop == null ? null : stop.why();
    }

    /** The gap that ended with the last append, which resumed storing; or null. */
    public @Nullable Missing gap() {
        return gap;
    }

    /** The bytes up to the cap that are missing at the end if storing does not resume; or null. */
    public @Nullable Missing missingAtEnd() {
        long end = Math.min(total, maxBytes);
        return stop == null || end <= stored ? null : new Missing(stored, end - stored, stop.why());
    }

    /** The sentence of the frame about bytes that are not stored for another reason than the cap; or null. */
    public @Nullable String error() {
        if (stop != null) {
            return "Storing stopped after " + stored + " bytes: " + stop.why() + " (" + path + ")";
        }
        return lastGap == null
                ? null
                : growing.gaps().missingBefore(stored) + " bytes are missing: " + lastGap.why() + " (" + path + ")";
    }

    /** Ends an artifact without a byte, and leaves no file. Most stderr outputs end like this. */
    public Sealed withdraw() {
        if (stored > 0 || ended) {
            throw new IllegalStateException("Artifact " + artifactId() + " has " + stored + " bytes, or has ended");
        }
        ended = true;
        store.withdraw(growing);
        return EmptyArtifact.of(artifactId()).sealed();
    }

    /** Leaves the artifact as if the server had died: the next one continues or seals it. */
    public void abandon() {
        ended = true;
        store.abandon(growing, file);
    }

    /** Ends the artifact: nothing can be appended after this. Returns the request to seal it. */
    public ArtifactRequest.Seal end() {
        ended = true;
        return new ArtifactRequest.Seal(artifactId(), everStopped);
    }
}
