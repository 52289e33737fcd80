package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.ArtifactsUnavailable;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.artifact.file.DigestBook;
import io.penstock.engine.artifact.file.DiskReserve;
import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.file.OpenFile;
import io.penstock.engine.artifact.file.OpenFiles;
import io.penstock.engine.artifact.file.TailFile;
import io.penstock.engine.artifact.text.Gap;
import io.penstock.engine.artifact.text.LineMark;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All artifacts of a node, in one directory. A byte is stored once it is in the page cache: it outlives the process,
 * however that ends. Nothing is forced to the disk, so a power loss may cost the last half minute.
 */
public final class ArtifactStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ArtifactStore.class);
    // A thread digests about a GB/s; on a machine with many cores the tasks write faster than one.
    private static final int CORES_PER_SEALER = 4;

    private final ArtifactFiles files;
    private final DigestBook book;
    private final OpenFiles open;
    private final DiskReserve reserve;
    private final UnstoredBytes unstored = new UnstoredBytes();
    private final OpenFileCache often;
    private final Instant openedAt;
    private final ConcurrentMap<String, GrowingArtifact> growing = new ConcurrentHashMap<>();
    private final TailPuncher tails;
    private final SealWork work;
    private final Sealers sealers;
    private final StoredArtifacts stored;

    private ArtifactStore(ArtifactFiles files, int openFiles, int readFiles, long reserveBytes) {
        this.often = new OpenFileCache(readFiles);
        this.files = files;
        this.reserve = new DiskReserve(files.root(), reserveBytes);
        this.book = new DigestBook(files);
        this.open = new OpenFiles(openFiles);
        this.openedAt = Instant.now();
        this.tails = new TailPuncher(files);
        this.work = new SealWork(files, book, growing, tails);
        this.sealers = new Sealers(Math.max(1, Runtime.getRuntime().availableProcessors() / CORES_PER_SEALER), work);
        this.stored = new StoredArtifacts(this, files);
    }

    /** Makes the directory if it is not there, for this user alone. */
    public static ArtifactStore open(Path root) throws ArtifactsUnavailable {
        return open(root, Limits.ARTIFACT_OPEN_FILES);
    }

    static ArtifactStore open(Path root, int openFiles) throws ArtifactsUnavailable {
        return open(root, openFiles, Limits.ARTIFACT_READ_FILES, 0L);
    }

    /** @param reserveBytes left free on the disk: with less, outputs are not stored; 0 stores until the disk is full */
    static ArtifactStore open(Path root, int openFiles, int readFiles, long reserveBytes) throws ArtifactsUnavailable {
        return new ArtifactStore(ArtifactFiles.open(root), openFiles, readFiles, reserveBytes);
    }

    DiskReserve reserve() {
        return reserve;
    }

    /**
     * Begins an artifact under an id that was never used. It is found from now on; its file is made at its first byte.
     *
     * @param maxBytes how many are stored at most, {@link Long#MAX_VALUE} for all
     */
    public ArtifactWriter create(String artifactId, long maxBytes) {
        return create(artifactId, maxBytes, false);
    }

    /** Whether an artifact can keep its tail here; else it keeps its head. */
    public boolean canKeepTails() {
        return tails.isPossible();
    }

    /** @param tail whether the newest bytes are kept rather than the first, where the file system can do that */
    public ArtifactWriter create(String artifactId, long maxBytes, boolean tail) {
        if (!ArtifactFiles.isId(artifactId)) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "An artifact id starts with a letter or digit, goes on with those or one of . _ : @ -, and has at"
                            + " most " + Limits.ARTIFACT_ID_CHARS + " characters, unlike \"" + artifactId + "\"");
        }
        if (maxBytes < 0) {
            throw new IllegalArgumentException("An artifact stores 0 or more bytes, not " + maxBytes);
        }
        boolean keepsTail = tail && tails.isPossible();
        GrowingArtifact begun =
                new GrowingArtifact(artifactId, keepsTail ? maxBytes : Long.MAX_VALUE, LineMark.START, Gaps.NONE);
        if (growing.putIfAbsent(artifactId, begun) != null || isOnDisk(artifactId)) {
            growing.remove(artifactId, begun);
            throw new IllegalStateException("Artifact " + artifactId + " exists: an id is used once");
        }
        OpenFile file = new OpenFile(files.bytes(artifactId), open);
        return new ArtifactWriter(
                this, begun, file, files.relativePath(artifactId), keepsTail ? Long.MAX_VALUE : maxBytes);
    }

    /**
     * Stores bytes that belong to no task, under an id made of their digest. Blocks for a few system calls. Fails with {@code
     * QUOTA_EXCEEDED} where the disk has no room for them.
     */
    public Future<Sealed> store(byte[] bytes) {
        return stored.store(bytes);
    }

    private boolean isOnDisk(String artifactId) {
        return Files.exists(files.bytes(artifactId), LinkOption.NOFOLLOW_LINKS)
                || Files.exists(files.seal(artifactId), LinkOption.NOFOLLOW_LINKS);
    }

    /** Growing, sealed, or left behind by a server that died; else a failure {@code ARTIFACT_NOT_FOUND}. */
    public Artifact find(String artifactId) {
        Artifact found = findOrNull(artifactId);
        if (found == null) {
            throw Artifact.notFound(artifactId);
        }
        return found;
    }

    /** As {@link #find}, or null. */
    public @Nullable Artifact findOrNull(String artifactId) {
        Artifact known = known(artifactId);
        if (known != null) {
            return known;
        }
        ArtifactContent contents = ArtifactFiles.isId(artifactId) ? contents(artifactId) : null;
        return contents == null ? null : new Artifact(artifactId, files, contents, often, unstored);
    }

    /** One that was withdrawn, or never had a byte, for who knows that from its task. */
    public Artifact nothing(String artifactId) {
        return new Artifact(artifactId, files, EmptyArtifact.of(artifactId), often, unstored);
    }

    /** As {@link #find}, but only if it is known without a system call. */
    public @Nullable Artifact known(String artifactId) {
        Artifact read = often.find(artifactId);
        if (read != null) {
            return read;
        }
        GrowingArtifact now = growing.get(artifactId);
        return now == null ? null : new Artifact(artifactId, files, now, often, unstored);
    }

    /** Of one that is not {@link #known}. */
    private @Nullable ArtifactContent contents(String artifactId) {
        SealFile note = note(artifactId);
        if (note != null) {
            return note;
        }
        if (!Files.exists(files.bytes(artifactId), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        // Asked again, since it may have begun between the first look and the last.
        GrowingArtifact begun = growing.get(artifactId);
        return begun == null ? new UnsealedFile(files.bytes(artifactId), kept(artifactId), gaps(artifactId)) : begun;
    }

    private LineMark kept(String artifactId) {
        try {
            return TailFile.read(files.kept(artifactId));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Gaps gaps(String artifactId) {
        try {
            return Gaps.read(files.gaps(artifactId));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private @Nullable SealFile note(String artifactId) {
        try {
            return SealFile.read(files, artifactId);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A sealed artifact with this digest, the latest of several; none for the digest of no bytes at all. */
    public Optional<String> findByDigest(String digest) {
        if (!Sealed.isDigest(digest)) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "A digest is sha256: and 64 hex digits in lower case, not \"" + digest + "\"");
        }
        try {
            return Optional.ofNullable(book.find(Sealed.digestBytes(digest), id -> {
                SealFile note = ArtifactFiles.isId(id) ? note(id) : null;
                return note != null && note.sealed().digest().equals(digest);
            }));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends an artifact that a dead server left, for who has read from its frames how much of it is recorded: what was
     * written beyond that is cut off. The answer may have fewer bytes, if a power loss took some. Blocks for a few
     * system calls; may be asked again, also for one that was sealed before the server died.
     */
    public Future<Sealed> recover(String artifactId, long recordedBytes) {
        if (!ArtifactFiles.isId(artifactId)) {
            return Future.failedFuture(Artifact.notFound(artifactId));
        }
        SealFile note = note(artifactId);
        if (note != null && note.storedBytes() <= recordedBytes) {
            return Future.succeededFuture(note.sealed());
        }
        LineMark kept = kept(artifactId);
        // A power loss may have taken bytes behind those that were given back.
        LineMark from = kept.offset() <= recordedBytes ? kept : new LineMark(recordedBytes, kept.newlines());
        GrowingArtifact recovered = new GrowingArtifact(
                artifactId, Long.MAX_VALUE, from, gaps(artifactId).within(recordedBytes));
        if (growing.putIfAbsent(artifactId, recovered) != null) {
            return Future.failedFuture(
                    new IllegalStateException("Artifact " + artifactId + " is growing: there is nothing to recover"));
        }
        try {
            recovered.grewTo(Math.max(from.offset(), cut(artifactId, recordedBytes, recovered.gaps())));
            return sealed(recovered);
        } catch (IOException e) {
            growing.remove(artifactId, recovered);
            return Future.failedFuture(e);
        }
    }

    private long cut(String artifactId, long recordedBytes, Gaps gaps) throws IOException {
        Path file = files.bytes(artifactId);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return 0;
        }
        Files.deleteIfExists(files.seal(artifactId));
        try (FileChannel channel = ArtifactFiles.openToWrite(file)) {
            channel.truncate(recordedBytes);
            Gap gap = gaps.at(channel.size());
            // A power loss has taken what was behind a gap.
            return gap == null
                    ? channel.size()
                    : channel.truncate(gap.from().offset()).size();
        }
    }

    /** Deletes an artifact that does not grow; who reads it just now reads on to the end. */
    public void delete(String artifactId) {
        find(artifactId);
        try {
            if (!remove(artifactId)) {
                throw new Failure(
                        FailureCode.TASK_NOT_READY,
                        "Artifact \"" + artifactId + "\" is still growing and cannot be deleted before its end");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Deletes an artifact on request, and keeps a note of it. One that is not there, or never had a byte, is no error: afterwards it is
     * gone in any case.
     */
    public void delete(String artifactId, Deletion deletion) {
        try {
            if (deletion(artifactId) != null) {
                return;
            }
            delete(artifactId);
        } catch (Failure e) {
            if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                throw e;
            }
        }
        try {
            deletion.write(files.deletion(artifactId));
        } catch (IOException e) {
            LOG.warn("Artifact {} is deleted, but who deleted it cannot be noted", artifactId, e);
        }
    }

    /** Null for an artifact that nobody deleted, and for one whose time would be over by now. */
    public @Nullable Deletion deletion(String artifactId) {
        try {
            return ArtifactFiles.isId(artifactId) ? Deletion.read(files.deletion(artifactId)) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it could be: what grows stays. */
    boolean remove(String artifactId) throws IOException {
        if (growing.computeIfPresent(artifactId, (id, now) -> now.sealed() == null ? now : null) != null) {
            return false;
        }
        Files.deleteIfExists(files.bytes(artifactId));
        Files.deleteIfExists(files.sidecar(artifactId));
        Files.deleteIfExists(files.seal(artifactId));
        Files.deleteIfExists(files.kept(artifactId));
        Files.deleteIfExists(files.gaps(artifactId));
        often.forget(artifactId);
        unstored.forget(artifactId);
        return true;
    }

    /** One pass over everything, to be called on a worker every hour or so. */
    public Retention.Outcome retain(Retention retention) {
        return retain(retention, Instant.now());
    }

    Retention.Outcome retain(Retention retention, Instant now) {
        work.noteAgain();
        Instant began = Instant.now();
        Predicate<String> remove = id -> removeLogged(id, began);
        try {
            Retention.Outcome outcome =
                    new RetentionPass(files, growing::containsKey, remove, retention, openedAt, now).run();
            if (outcome.deletedArtifacts() > 0) {
                book.clear(id -> ArtifactFiles.isId(id) && Files.exists(files.seal(id), LinkOption.NOFOLLOW_LINKS));
            }
            return outcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean removeLogged(String artifactId, Instant began) {
        try {
            return StoredArtifacts.isId(artifactId) ? stored.expire(artifactId, began) : remove(artifactId);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Artifact {} cannot be deleted", artifactId, e);
            return false;
        }
    }

    void chase(GrowingArtifact artifact) {
        sealers.chase(artifact);
    }

    Future<Void> near(GrowingArtifact artifact) {
        return sealers.near(artifact);
    }

    Future<Sealed> seal(GrowingArtifact artifact, OpenFile file, boolean failed) {
        try {
            file.finish(artifact.storedBytes(), failed);
        } catch (IOException e) {
            LOG.warn("Closing artifact {} failed", artifact.id(), e);
        }
        return sealed(artifact);
    }

    /** Notes a gap behind what is stored, before there are bytes behind it. */
    void keepGap(GrowingArtifact artifact, Gap gap) throws IOException {
        artifact.become(artifact.gaps().with(gap, files.gaps(artifact.id())));
    }

    void withdraw(GrowingArtifact artifact) {
        growing.remove(artifact.id(), artifact);
    }

    private Future<Sealed> sealed(GrowingArtifact artifact) {
        // One that cannot be sealed is as if the server had died: its bytes are there, and nobody writes more.
        return sealers.seal(artifact).onFailure(cause -> growing.remove(artifact.id(), artifact));
    }

    void keepUnstored(GrowingArtifact artifact, long offset, ByteBuffer bytes) {
        unstored.put(artifact.id(), offset, bytes);
    }

    /** Closes the files that nobody has read for a while, and lets go of bytes that were only to be seen; to be called every few seconds. Blocks. */
    public void closeUnread() {
        unstored.forgetEnded(growing::containsKey);
        often.closeUnused();
    }

    int openFiles() {
        return open.count();
    }

    /** Ends the seals that were asked for. What grows is left as it is, to be recovered: its writers have stopped. */
    @Override
    public void close() {
        sealers.close();
        tails.close();
        open.closeAll();
        often.closeAll();
    }
}
