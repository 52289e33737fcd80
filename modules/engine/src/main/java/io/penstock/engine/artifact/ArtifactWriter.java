package io.penstock.engine.artifact;

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
 * The one writer of one artifact, used by one thread. Appending never fails: when the disk refuses a write, storing stops, and goes on at the
 * same offsets once there is room again; what was not stored is a gap. Beyond the cap nothing is stored. What is not stored is counted, and
 * kept in memory for a moment for those who follow live.
 */
public final class ArtifactWriter {

    /** How long storing stays stopped at least, so that a disk without room is not asked again and again. */
    private static final long STOPPED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String SHORT_FILE = "its file is not as long as it was";

    /** Bytes that are missing in the middle, and why. */
    public record Missing(long offset, long bytes, String why) {}

    /**
     * Storing has stopped.
     *
     * @param from the end of what is stored
     * @param again whether it is tried again when there is room
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
    private @Nullable Future<Sealed> seal;

    ArtifactWriter(ArtifactStore store, GrowingArtifact growing, OpenFile file, String path, long maxBytes) {
        this.store = store;
        this.growing = growing;
        this.file = file;
        this.path = path;
        this.maxBytes = maxBytes;
    }

    public String artifactId() {
        return growing.id();
    }

    /** As frames name it, below the data directory. */
    public String path() {
        return path;
    }

    /** Takes all of the bytes, stores what it can, and says how many those were; readers see them from here on. */
    public int append(ByteBuffer bytes) {
        if (seal != null) {
            throw new IllegalStateException("Artifact " + artifactId() + " is sealed, nothing can be appended");
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

    /** Stores what it can from the position of the bytes on, which is behind what is stored afterwards. */
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

    /** Writes to the file as much as it takes; why it did not take all, or null. */
    private @Nullable String put(ByteBuffer bytes, long offset) {
        if (growing.isUncuttable()) {
            return "the oldest of them, which are not to be kept, cannot be given back to the disk";
        }
        if (!store.reserve().allows(bytes.remaining())) {
            return store.reserve().sentence();
        }
        int start = bytes.position();
        try {
            while (bytes.hasRemaining()) {
                // A write moves the position on by what it took, also when the next one fails.
                file.write(bytes, offset + bytes.position() - start);
            }
            return null;
        } catch (IOException e) {
            return reason(e);
        } catch (InternalError e) {
            // What the JVM makes of a SIGBUS: the disk did not give what it had promised, or someone has cut the file.
            return SHORT_FILE;
        }
    }

    /** Notes the gap in front of bytes that were written behind it; why it cannot be noted, or null. */
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
     * Completes when the digest is near enough for more: who writes faster than that should wait, or the end has to. On the context of the
     * caller if it has one.
     */
    public Future<Void> digestIsNear() {
        return store.near(growing);
    }

    /** Whether the newest bytes are kept: all are stored, and the oldest go. */
    public boolean keepsTail() {
        return growing.keepsTail();
    }

    public long bytesTotal() {
        return total;
    }

    public long bytesStored() {
        return stored;
    }

    /** Line feeds among all bytes that were taken, stored or not. */
    public long newlines() {
        return newlines;
    }

    public boolean truncated() {
        return stored < total;
    }

    /** Why storing is stopped just now, if it is for another reason than the cap. */
    public @Nullable String stopped() {
        return stop == null ? null : stop.why();
    }

    /** The gap that ends where the bytes of the last append begin, or null: storing has gone on with them. */
    public @Nullable Missing gap() {
        return gap;
    }

    /** What will be missing at the end if storing does not go on: up to the cap, or null. */
    public @Nullable Missing missingAtEnd() {
        long end = Math.min(total, maxBytes);
        return stop == null || end <= stored ? null : new Missing(stored, end - stored, stop.why());
    }

    /** What is not stored for another reason than the cap: a sentence for the frame. */
    public @Nullable String error() {
        if (stop != null) {
            return "Storing stopped after " + stored + " bytes: " + stop.why() + " (" + path + ")";
        }
        return lastGap == null
                ? null
                : growing.gaps().missingBefore(stored) + " bytes are missing: " + lastGap.why() + " (" + path + ")";
    }

    /** Ends an artifact without a byte and leaves nothing of it, not even that it was there; most outputs of errors are like that. */
    public void withdraw() {
        if (stored > 0 || seal != null) {
            throw new IllegalStateException("Artifact " + artifactId() + " has " + stored + " bytes, or is sealed");
        }
        store.withdraw(growing);
        seal = Future.succeededFuture(EmptyArtifact.of(artifactId()).sealed());
    }

    /**
     * Ends the artifact. Known once its digest is, on the context of the caller if it has one; asked again, the answer
     * is the same.
     */
    public Future<Sealed> seal() {
        Future<Sealed> asked = seal;
        if (asked == null) {
            asked = store.seal(growing, file, everStopped);
            seal = asked;
        }
        return asked;
    }
}
