package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.ArtifactsUnavailable;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.artifact.file.DigestBook;
import io.penstock.engine.artifact.file.DiskReserve;
import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.file.OpenFile;
import io.penstock.engine.artifact.file.OpenFiles;
import io.penstock.engine.artifact.file.PinnedTasks;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
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
    // A thread digests about 1 GB/s; on a machine with many cores, tasks write faster than that.
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
    private final PinnedTasks pinned;

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
        this.pinned = new PinnedTasks(files.root().resolve("pinned"));
    }

    /** Creates the directory if it does not exist, accessible to this user only. */
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
     * Begins an artifact under an id that was never used. Readers find it from now on; its first byte creates the file.
     *
     * @param maxBytes the maximum number of stored bytes, {@link Long#MAX_VALUE} for all
     */
    public ArtifactWriter create(String artifactId, long maxBytes) {
        return create(artifactId, maxBytes, false);
    }

    /** Whether the file system supports artifacts that keep their tail; otherwise they keep their head. */
    public boolean canKeepTails() {
        return tails.isPossible();
    }

    /** @param tail whether to keep the newest bytes instead of the first, if the file system supports it */
    public ArtifactWriter create(String artifactId, long maxBytes, boolean tail) {
        if (!ArtifactFiles.isId(artifactId)) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "An artifact id starts with a letter or digit, continues with those or one of . _ : @ -, and has at"
                            + " most " + Limits.ARTIFACT_ID_CHARS + " characters, unlike \"" + artifactId + "\"");
        }
        if (maxBytes < 0) {
            throw new IllegalArgumentException("An artifact stores 0 or more bytes, not " + maxBytes);
        }
        boolean keepsTail = tail && tails.isPossible();
        OpenFile file = new OpenFile(files.bytes(artifactId), open, false);
        var begun =
                new GrowingArtifact(artifactId, keepsTail ? maxBytes : Long.MAX_VALUE, LineMark.START, Gaps.NONE, file);
        return begin(begun, file, keepsTail ? Long.MAX_VALUE : maxBytes);
    }

    /** @param file the file of the growing artifact */
    ArtifactWriter begin(GrowingArtifact begun, OpenFile file, long maxBytes) {
        String id = begun.id();
        if (growing.putIfAbsent(id, begun) != null || isOnDisk(id)) {
            growing.remove(id, begun);
            throw new IllegalStateException("Artifact " + id + " exists: an id is used once");
        }
        return new ArtifactWriter(this, begun, file, files.relativePath(id), maxBytes);
    }

    /**
     * Continues an artifact of an earlier run of its task, or begins it if it has no byte. Bytes beyond those that its frames record are cut off. Fails if a
     * power loss took some of these. Blocks: what is stored may have to be read.
     *
     * @param recorded how many bytes were appended and stored
     */
    public ArtifactWriter resume(String artifactId, long maxBytes, boolean tail, Recorded recorded) throws IOException {
        Path file = files.bytes(artifactId);
        if (recorded.totalBytes() == 0) {
            Files.deleteIfExists(file);
            Files.deleteIfExists(files.seal(artifactId));
            return create(artifactId, maxBytes, tail);
        }
        // Of an earlier run that ended: the artifact grows again, and is sealed again at the end of this one.
        Files.deleteIfExists(files.seal(artifactId));
        often.forget(artifactId);
        boolean keepsTail = tail && tails.isPossible();
        var bytes = new OpenFile(file, open, Files.exists(file, LinkOption.NOFOLLOW_LINKS));
        GrowingArtifact resumed = new GrowingArtifact(
                artifactId,
                keepsTail ? maxBytes : Long.MAX_VALUE,
                kept(artifactId),
                gaps(artifactId).within(recorded.storedBytes()),
                bytes);
        if (growing.putIfAbsent(artifactId, resumed) != null) {
            throw new IllegalStateException("Artifact " + artifactId + " grows already");
        }
        try {
            long left = cut(artifactId, recorded.storedBytes(), resumed.gaps());
            if (left < recorded.storedBytes()) {
                throw new IOException("only " + left + " of the " + recorded.storedBytes() + " stored bytes of "
                        + artifactId + " are left");
            }
            long most = keepsTail ? Long.MAX_VALUE : maxBytes;
            var writer = new ArtifactWriter(this, resumed, bytes, files.relativePath(artifactId), most);
            LineMark end = work.endOf(resumed, recorded);
            LineMark storedEnd = recorded.storedBytes() < Math.min(recorded.totalBytes(), most)
                    ? work.countLines(resumed, recorded.storedBytes())
                    : new LineMark(recorded.storedBytes(), end.newlines());
            // Frames of an earlier version may not say how many line feeds were not stored.
            long newlines = Math.max(end.newlines(), storedEnd.newlines());
            writer.resume(new LineMark(end.offset(), newlines), storedEnd);
            return writer;
        } catch (IOException | RuntimeException e) {
            growing.remove(artifactId, resumed);
            throw e;
        }
    }

    /**
     * Stores bytes that belong to no task, under an id made of their digest. Blocks for a few system calls. Fails with {@code
     * QUOTA_EXCEEDED} where the disk has no room for them.
     */
    Future<Sealed> store(byte[] bytes) {
        return stored.store(bytes);
    }

    private boolean isOnDisk(String artifactId) {
        return Files.exists(files.bytes(artifactId), LinkOption.NOFOLLOW_LINKS)
                || Files.exists(files.seal(artifactId), LinkOption.NOFOLLOW_LINKS);
    }

    /** Finds a growing, sealed or unsealed artifact; fails with {@code ARTIFACT_NOT_FOUND} if there is none. */
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

    /** An artifact without a byte, for callers that know from the task that it was withdrawn. */
    Artifact nothing(String artifactId) {
        return new Artifact(artifactId, files, EmptyArtifact.of(artifactId), often, unstored);
    }

    /** Like {@link #find}, without a system call; null if that is not enough. */
    @Nullable
    Artifact known(String artifactId) {
        Artifact read = often.find(artifactId);
        if (read != null) {
            return read;
        }
        GrowingArtifact now = growing.get(artifactId);
        return now == null ? null : new Artifact(artifactId, files, now, often, unstored);
    }

    /** Looks on the disk. */
    private @Nullable ArtifactContent contents(String artifactId) {
        SealFile note = note(artifactId);
        if (note != null) {
            return note;
        }
        if (!Files.exists(files.bytes(artifactId), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        // Again, because the artifact may have begun after the first lookup.
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

    /** The latest sealed artifact with this digest; empty for the digest of zero bytes. */
    Optional<String> findByDigest(String digest) {
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
     * Seals an artifact of a dead server. Bytes beyond those that its frames record are cut off. The result may have fewer bytes, if a
     * power loss took some. Blocks for a few system calls. May be repeated, also for an artifact that was sealed already.
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
        // A power loss may have taken bytes behind the removed ones.
        LineMark from = kept.offset() <= recordedBytes ? kept : new LineMark(recordedBytes, kept.newlines());
        GrowingArtifact recovered = new GrowingArtifact(
                artifactId, Long.MAX_VALUE, from, gaps(artifactId).within(recordedBytes), null);
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
            // A power loss has taken the bytes behind the gap.
            return gap == null
                    ? channel.size()
                    : channel.truncate(gap.from().offset()).size();
        }
    }

    /** Deletes an artifact that does not grow; present readers can read on. */
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
     * Deletes an artifact on request, and writes a note about the deletion. A missing artifact is no error.
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

    /** The note about a deletion; null if there was none, or if retention has removed the note. */
    public @Nullable Deletion deletion(String artifactId) {
        try {
            return ArtifactFiles.isId(artifactId) ? Deletion.read(files.deletion(artifactId)) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes the files; returns false for an artifact that still grows. */
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

    /** Removes artifacts older or larger in total than the limits. Reads all artifacts, so call it on a worker, about every hour. */
    public Retention.Outcome retain(Retention retention) {
        return retain(retention, Instant.now());
    }

    Retention.Outcome retain(Retention retention, Instant now) {
        work.noteAgain();
        Instant began = Instant.now();
        Predicate<String> remove = id -> removeLogged(id, began);
        try {
            Retention.Outcome outcome =
                    new RetentionPass(files, this::mustStay, remove, retention, openedAt, now).run();
            if (outcome.deletedArtifacts() > 0) {
                clearBook();
            }
            return outcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean mustStay(String artifactId) {
        return growing.containsKey(artifactId) || pinned.has(artifactId);
    }

    /** The tasks whose outputs are kept, however old they become. They block. */
    public PinnedTasks pinned() {
        return pinned;
    }

    /**
     * Removes the outputs of tasks that were removed. Walks through all artifacts.
     *
     * @param removedTasks answers which of some tasks were removed
     * @return how many outputs were removed
     */
    public long removeOutputs(Function<List<String>, Set<String>> removedTasks) {
        Instant began = Instant.now();
        try {
            long removed = new OutputRemoval(files, id -> removeLogged(id, began)).run(removedTasks);
            if (removed > 0) {
                clearBook();
            }
            return removed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void clearBook() throws IOException {
        book.clear(id -> ArtifactFiles.isId(id) && Files.exists(files.seal(id), LinkOption.NOFOLLOW_LINKS));
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

    /** Seals an artifact that its writer has ended. Blocks for a few system calls. May be repeated. */
    public Future<Sealed> seal(ArtifactRequest.Seal ended) {
        String id = ended.artifactId();
        GrowingArtifact artifact = growing.get(id);
        if (artifact == null) {
            SealFile note = note(id);
            return note == null ? Future.failedFuture(Artifact.notFound(id)) : Future.succeededFuture(note.sealed());
        }
        OpenFile file = artifact.file();
        try {
            if (file != null) {
                file.finish(artifact.storedBytes(), ended.failed());
            }
        } catch (IOException e) {
            LOG.warn("Closing artifact {} failed", id, e);
        }
        return sealed(artifact);
    }

    /** Records a gap before bytes are stored behind it. */
    void keepGap(GrowingArtifact artifact, Gap gap) throws IOException {
        artifact.become(artifact.gaps().with(gap, files.gaps(artifact.id())));
    }

    void abandon(GrowingArtifact artifact, OpenFile file) {
        try {
            file.finish(artifact.storedBytes(), false);
        } catch (IOException e) {
            LOG.warn("Closing artifact {} failed", artifact.id(), e);
        }
        growing.remove(artifact.id(), artifact);
    }

    void withdraw(GrowingArtifact artifact) {
        growing.remove(artifact.id(), artifact);
    }

    private Future<Sealed> sealed(GrowingArtifact artifact) {
        // An artifact that cannot be sealed is left as if the server had died: its bytes are stored, and no writer adds
        // more.
        return sealers.seal(artifact).onFailure(cause -> growing.remove(artifact.id(), artifact));
    }

    void keepUnstored(GrowingArtifact artifact, long offset, ByteBuffer bytes) {
        unstored.put(artifact.id(), offset, bytes);
    }

    /** Closes files that were not read for a while, and drops bytes that were kept for live followers. Call it every few seconds. Blocks. */
    public void closeUnread() {
        unstored.forgetEnded(growing::containsKey);
        often.closeUnused();
    }

    int openFiles() {
        return open.count();
    }

    /** Completes the requested seals. Growing artifacts stay unsealed, and the next start recovers them. */
    @Override
    public void close() {
        sealers.close();
        tails.close();
        open.closeAll();
        often.closeAll();
    }
}
