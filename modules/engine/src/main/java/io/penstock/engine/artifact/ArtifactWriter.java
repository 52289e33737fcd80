package io.penstock.engine.artifact;

import io.vertx.core.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of one artifact, used by one thread. Appending never fails: at the cap, or when the disk refuses a
 * write, storing stops for good and counting goes on.
 */
public final class ArtifactWriter {

    private final ArtifactStore store;
    private final Growing growing;
    private final OpenFile file;
    private final String path;
    private final long maxBytes;
    private long total;
    private long stored;
    private @Nullable String error;
    private @Nullable Future<Sealed> seal;

    ArtifactWriter(ArtifactStore store, Growing growing, OpenFile file, String path, long maxBytes) {
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
        int length = bytes.remaining();
        total += length;
        int limit = bytes.limit();
        int room = error != null ? 0 : (int) Math.min(length, maxBytes - stored);
        long before = stored;
        if (room > 0) {
            bytes.limit(bytes.position() + room);
            write(bytes);
        }
        bytes.limit(limit).position(limit);
        if (stored != before && growing.grewTo(stored)) {
            store.chase(growing);
        }
        return (int) (stored - before);
    }

    private void write(ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                stored += file.write(bytes, stored);
            }
        } catch (IOException e) {
            stop(reason(e));
        } catch (InternalError e) {
            // What the JVM makes of a SIGBUS: the disk did not give what it had promised, or someone has cut the file.
            stop("its file is not as long as it was");
        }
    }

    private void stop(String why) {
        error = "Storing stopped after " + stored + " bytes: " + why + " (" + path + ")";
    }

    private static String reason(IOException e) {
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

    public long bytesTotal() {
        return total;
    }

    public long bytesStored() {
        return stored;
    }

    public boolean truncated() {
        return stored < total;
    }

    /** Why storing stopped early, if it did for another reason than the cap: a sentence for the frame. */
    public @Nullable String error() {
        return error;
    }

    /** Ends an artifact without a byte and leaves nothing of it, not even that it was there; most outputs of errors are like that. */
    public void withdraw() {
        if (stored > 0 || seal != null) {
            throw new IllegalStateException("Artifact " + artifactId() + " has " + stored + " bytes, or is sealed");
        }
        store.withdraw(growing);
        seal = Future.succeededFuture(Nothing.of(artifactId()).sealed());
    }

    /**
     * Ends the artifact. Known once its digest is, on the context of the caller if it has one; asked again, the answer
     * is the same.
     */
    public Future<Sealed> seal() {
        Future<Sealed> asked = seal;
        if (asked == null) {
            asked = store.seal(growing, file, error != null);
            seal = asked;
        }
        return asked;
    }
}
