package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import io.penstock.engine.artifact.file.Gaps;
import io.penstock.engine.artifact.file.TailFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One pass of retention over a store. Its memory is bounded by the largest directory and the number of candidates. */
final class RetentionPass {

    /** Candidates of one walk, some MB; if more must be deleted, another walk finds them. */
    private static final int CANDIDATES = 50_000;

    /** Unsealed files of a dead server are left alone for this time, so that recovery comes first. */
    private static final Duration RECOVERY_TIME = Duration.ofHours(1);

    private static final Comparator<Candidate> OLDEST_FIRST =
            Comparator.comparing(Candidate::sealedAt).thenComparing(Candidate::id);

    private record Candidate(String id, Instant sealedAt, long bytes) {}

    private final ArtifactFiles files;
    private final Predicate<String> growing;
    private final Predicate<String> remove;
    private final Retention retention;
    private final boolean unsealedToo;
    private final Instant oldest;
    private long artifacts;
    private long bytes;
    private long deletedArtifacts;
    private long deletedBytes;

    RetentionPass(
            ArtifactFiles files,
            Predicate<String> growing,
            Predicate<String> remove,
            Retention retention,
            Instant openedAt,
            Instant now) {
        this.files = files;
        this.growing = growing;
        this.remove = remove;
        this.retention = retention;
        this.unsealedToo = now.isAfter(openedAt.plus(RECOVERY_TIME));
        this.oldest = now.minus(retention.age());
    }

    Retention.Outcome run() throws IOException {
        long before;
        do {
            before = deletedArtifacts;
            PriorityQueue<Candidate> candidates = walk();
            List<Candidate> inOrder = new ArrayList<>(candidates);
            inOrder.sort(OLDEST_FIRST);
            for (Candidate kept : inOrder) {
                if (bytes <= retention.totalBytes()) {
                    break;
                }
                delete(kept);
            }
        } while (bytes > retention.totalBytes() && deletedArtifacts > before);
        return new Retention.Outcome(artifacts, bytes, deletedArtifacts, deletedBytes);
    }

    /** Counts artifacts, deletes those that are too old, and returns the oldest of the others. */
    private PriorityQueue<Candidate> walk() throws IOException {
        artifacts = 0;
        bytes = 0;
        PriorityQueue<Candidate> candidates = new PriorityQueue<>(OLDEST_FIRST.reversed());
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(files.root(), "[0-9a-f][0-9a-f]")) {
            for (Path directory : directories) {
                for (Candidate kept : in(directory)) {
                    artifacts++;
                    bytes += kept.bytes();
                    if (kept.sealedAt().isBefore(oldest)) {
                        delete(kept);
                    } else if (candidates.size() < CANDIDATES || OLDEST_FIRST.compare(kept, candidates.element()) < 0) {
                        candidates.add(kept);
                        if (candidates.size() > CANDIDATES) {
                            candidates.remove();
                        }
                    }
                }
            }
        }
        return candidates;
    }

    private void delete(Candidate kept) {
        if (!growing.test(kept.id()) && remove.test(kept.id())) {
            artifacts--;
            bytes -= kept.bytes();
            deletedArtifacts++;
            deletedBytes += kept.bytes();
        }
    }

    private List<Candidate> in(Path directory) throws IOException {
        Map<String, BasicFileAttributes> bytesFiles = new HashMap<>();
        Map<String, BasicFileAttributes> seals = new HashMap<>();
        Map<String, BasicFileAttributes> sidecars = new HashMap<>();
        Map<String, BasicFileAttributes> deletions = new HashMap<>();
        Map<String, BasicFileAttributes> tails = new HashMap<>();
        Map<String, BasicFileAttributes> gaps = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                putAttributes(entry, name, ArtifactFiles.DELETION, deletions);
                putAttributes(entry, name, ArtifactFiles.KEPT, tails);
                putAttributes(entry, name, ArtifactFiles.GAPS, gaps);
                putAttributes(entry, name, ArtifactFiles.BYTES, bytesFiles);
                putAttributes(entry, name, ArtifactFiles.SEAL, seals);
                putAttributes(entry, name, ArtifactFiles.SIDECAR, sidecars);
            }
        }
        forget(deletions);
        Map<String, Long> given = new HashMap<>();
        for (String id : tails.keySet()) {
            given.put(id, TailFile.read(files.kept(id)).offset());
        }
        for (String id : gaps.keySet()) {
            long first = given.getOrDefault(id, 0L);
            Gaps missing = Gaps.read(files.gaps(id));
            given.put(id, first + missing.missingBefore(Long.MAX_VALUE) - missing.missingBefore(first));
        }
        List<Candidate> kept = new ArrayList<>();
        seals.forEach((id, seal) -> {
            BasicFileAttributes file = bytesFiles.remove(id);
            kept.add(new Candidate(
                    id,
                    seal.lastModifiedTime().toInstant(),
                    sizeOf(file, given.getOrDefault(id, 0L)) + sizeOf(sidecars.get(id), 0)));
        });
        if (unsealedToo) {
            bytesFiles.forEach((id, file) -> kept.add(new Candidate(
                    id,
                    file.lastModifiedTime().toInstant(),
                    sizeOf(file, given.getOrDefault(id, 0L)) + sizeOf(sidecars.get(id), 0))));
        }
        kept.removeIf(each -> growing.test(each.id()));
        return kept;
    }

    /** Deletes notes about deletions after the time for which the artifacts would have been kept. */
    private void forget(Map<String, BasicFileAttributes> deletions) throws IOException {
        for (Map.Entry<String, BasicFileAttributes> each : deletions.entrySet()) {
            if (each.getValue().lastModifiedTime().toInstant().isBefore(oldest)) {
                Files.deleteIfExists(files.deletion(each.getKey()));
            }
        }
    }

    /** The size on the disk: without bytes that were removed or never stored. */
    private static long sizeOf(@Nullable BasicFileAttributes file, long given) {
        return file == null ? 0 : Math.max(0, file.size() - given);
    }

    private static void putAttributes(Path entry, String name, String suffix, Map<String, BasicFileAttributes> found)
            throws IOException {
        String id = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : "";
        if (!ArtifactFiles.isId(id)) {
            return;
        }
        try {
            found.put(id, Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            // Deleted after the listing.
            return;
        }
    }
}
