package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Artifacts that belong to no task: stored as a whole under an id made of their digest, so that equal bytes are one artifact. Storing it
 * again renews the time for which it is kept.
 */
public final class StoredArtifacts {

    private static final String PREFIX = "stored-";

    /** No output of a task has such an id: those end with the name of their channel. */
    private static final Pattern ID = Pattern.compile(PREFIX + "[0-9a-f]{64}");

    /** Named in the note of an artifact that was removed because of its age. */
    private static final String RETENTION = "retention";

    private final ArtifactStore store;
    private final ArtifactFiles files;
    private final ConcurrentMap<String, Future<Sealed>> underWay = new ConcurrentHashMap<>();

    /** Held while an artifact is renewed or removed, so that no caller is given one that is about to go. */
    private final Object renewing = new Object();

    StoredArtifacts(ArtifactStore store, ArtifactFiles files) {
        this.store = store;
        this.files = files;
    }

    public static boolean isId(String artifactId) {
        return ID.matcher(artifactId).matches();
    }

    Future<Sealed> store(byte[] bytes) {
        String id = PREFIX + HexFormat.of().formatHex(GrowingArtifact.sha256().digest(bytes));
        Promise<Sealed> done = Promise.promise();
        Future<Sealed> before = underWay.putIfAbsent(id, done.future());
        if (before != null) {
            return before;
        }
        done.future().onComplete(stored -> underWay.remove(id));
        try {
            Sealed renewed = renew(id);
            if (renewed != null) {
                done.complete(renewed);
            } else {
                write(id, bytes);
                store.recover(id, bytes.length).onComplete(done);
            }
        } catch (IOException | RuntimeException e) {
            done.fail(e);
        }
        return done.future();
    }

    /** The artifact as it was sealed, as if that had been now; null if there is none. */
    private @Nullable Sealed renew(String id) throws IOException {
        synchronized (renewing) {
            Artifact known = store.findOrNull(id);
            Sealed sealed = known == null ? null : known.sealed();
            Path seal = files.seal(id);
            if (sealed != null && Files.exists(seal, LinkOption.NOFOLLOW_LINKS)) {
                Files.setLastModifiedTime(seal, FileTime.from(Instant.now()));
            }
            return sealed;
        }
    }

    private void write(String id, byte[] bytes) throws IOException {
        String reserved = store.reserve().refusal(bytes.length, ArtifactFiles.PER_ARTIFACT);
        if (reserved != null) {
            throw noRoom(reserved, null);
        }
        try {
            ArtifactFiles.put(files.bytes(id), ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            Files.deleteIfExists(files.bytes(id));
            throw noRoom(ArtifactWriter.reason(e), e);
        }
    }

    private static Failure noRoom(String why, @Nullable Throwable cause) {
        return new Failure(FailureCode.QUOTA_EXCEEDED, "The artifact cannot be stored: " + why, cause);
    }

    /**
     * Removes an artifact that is kept no longer, and notes it.
     *
     * @param began an artifact that was stored again since then stays
     * @return whether it could be removed
     */
    boolean expire(String id, Instant began) throws IOException {
        synchronized (renewing) {
            if (underWay.containsKey(id) || isRenewedSince(began, files.seal(id)) || !store.remove(id)) {
                return false;
            }
        }
        new Deletion(Instant.now(), RETENTION).write(files.deletion(id));
        return true;
    }

    private static boolean isRenewedSince(Instant began, Path seal) throws IOException {
        return Files.exists(seal, LinkOption.NOFOLLOW_LINKS)
                && Files.getLastModifiedTime(seal).toInstant().isAfter(began);
    }
}
