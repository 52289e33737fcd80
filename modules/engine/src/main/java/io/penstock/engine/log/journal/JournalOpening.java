package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.PAGE_BYTES;

import io.penstock.engine.log.journal.JournalUnavailable.Reason;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Opens a journal directory. First it reads and judges all files without changing any; then it saves the bytes to be
 * cut in a file of their own; only then does it change anything, so that after a crash in between the next opening does
 * the same.
 */
final class JournalOpening {
    private final JournalSettings settings;
    private final SegmentFiles files;
    private final long drained;
    private final List<String> sentences = new ArrayList<>();
    private final List<Path> setAside = new ArrayList<>();

    private JournalOpening(JournalSettings settings, long drained) {
        this.settings = settings;
        this.files = new SegmentFiles(settings);
        this.drained = drained;
    }

    static Journal open(JournalSettings settings, long drained) {
        if (drained < 0) {
            throw new IllegalArgumentException("drained position is " + drained + "; it is 0 for a new journal");
        }
        Path directory = settings.directory();
        DirectoryLock lock = null;
        Journal opened = null;
        try {
            Files.createDirectories(directory);
            lock = DirectoryLock.acquire(directory);
            opened = new JournalOpening(settings, drained).open(lock);
            return opened;
        } catch (IOException | InternalError e) {
            boolean full = isDiskFull(e);
            throw new JournalUnavailable(
                    full ? Reason.NO_ROOM : Reason.NOT_WRITABLE,
                    "The journal in " + directory + " cannot be opened: " + cause(e)
                            + (full
                                    ? "; it needs " + settings.segmentBytes() + " bytes free on that disk."
                                    : "; it needs a directory that can be read and written."),
                    e);
        } finally {
            if (opened == null && lock != null) {
                lock.releaseQuietly();
            }
        }
    }

    static Optional<UUID> idIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (Arena arena = Arena.ofConfined()) {
            for (Path file : SegmentFiles.inOrder(directory)) {
                SegmentHeader header = FoundSegment.map(file, arena, PAGE_BYTES).header();
                if (header != null) {
                    return Optional.of(header.journalId());
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new JournalUnavailable(
                    Reason.NOT_WRITABLE, "The journal in " + directory + " cannot be read: " + cause(e) + ".", e);
        }
    }

    /** The system's error message, without the Java frames around it. */
    static String cause(Throwable e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : e.getClass().getSimpleName() + " " + message;
    }

    private static boolean isDiskFull(Throwable e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left") || message.contains("quota") || message.contains("file too large");
    }

    private Journal open(DirectoryLock lock) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            List<FoundSegment> found = new ArrayList<>();
            for (Path file : files.inOrder()) {
                found.add(FoundSegment.map(file, arena, settings.segmentBytes()));
            }
            requireSameJournal(found);
            SegmentChain chain = SegmentChain.of(found, drained, settings.maxRecordBytes());
            sentences.addAll(chain.sentences());
            return repair(lock, found, chain);
        }
    }

    private void requireSameJournal(List<FoundSegment> found) {
        for (FoundSegment segment : found) {
            SegmentHeader header = segment.header();
            if (header != null && !header.journalId().equals(settings.journalId())) {
                throw new JournalUnavailable(
                        Reason.FOREIGN,
                        "The file " + segment.file() + " belongs to journal " + header.journalId() + ", not to "
                                + settings.journalId() + ": put it back where it came from, or name another data"
                                + " directory.");
            }
        }
    }

    private Journal repair(DirectoryLock lock, List<FoundSegment> found, SegmentChain chain) throws IOException {
        files.dropUnfinished();
        ScannedSegment last = chain.last();
        long leftover = last == null ? 0 : last.scan().leftover();
        Path cut = last == null || leftover == 0
                ? null
                : files.saveCut(
                        last.scan().end(),
                        last.segment()
                                .bytes()
                                .asSlice(last.scan().end() - last.segment().base(), leftover));
        if (last != null && cut != null) {
            sentences.add(
                    "The journal's whole records end at position " + last.scan().end() + "; the " + leftover
                            + " bytes after it are no whole record ("
                            + (last.scan().ending() == SegmentScan.Ending.OPEN ? "an append was cut short" : "damaged")
                            + "), they were cut and kept in " + cut + ".");
        }
        for (ScannedSegment kept : chain.kept()) {
            kept.segment().extend(files);
        }
        long end = last == null ? drained : last.scan().end();
        @Nullable Segment fresh = null;
        if (last == null || chain.continuesInNewSegment()) {
            long highest = found.stream().mapToLong(FoundSegment::end).max().orElse(0);
            long skipped = chain.followerMissing() ? settings.segmentBytes() : 0;
            fresh = files.create(pageAligned(Math.max(drained, highest) + skipped));
            fresh.follow(end);
        }
        List<Segment> segments = new ArrayList<>();
        try {
            removeUnneeded(chain);
            mapAll(chain, fresh, segments);
        } catch (IOException | RuntimeException e) {
            segments.forEach(Segment::unmap);
            if (fresh != null) {
                fresh.unmap();
            }
            throw e;
        }
        long tail = fresh != null ? fresh.firstPosition() : end;
        long released = Math.max(drained, segments.getFirst().follows());
        Recovery recovery =
                new Recovery(end, cut == null ? 0 : leftover, Optional.ofNullable(cut), setAside, sentences);
        return new Journal(settings, lock, segments, tail, released, recovery);
    }

    private void removeUnneeded(SegmentChain chain) throws IOException {
        for (FoundSegment segment : chain.beyond()) {
            Path aside = files.setAside(segment.file());
            setAside.add(aside);
            sentences.add("The segment " + segment.file().getFileName() + " cannot be reached from what is before it"
                    + " and was set aside as " + aside + ".");
        }
        for (FoundSegment segment : chain.useless()) {
            Files.delete(segment.file());
        }
    }

    private void mapAll(SegmentChain chain, @Nullable Segment fresh, List<Segment> segments) throws IOException {
        for (ScannedSegment kept : chain.kept()) {
            boolean last = kept == chain.last();
            FoundSegment segment = kept.segment();
            long end = kept.scan().end();
            if (last) {
                // Zeros are written even over zeros: written zeros have blocks on the disk, a hole has none.
                files.zero(segment.file(), end - segment.base(), segment.end() - segment.base());
            }
            Segment mapped = Segment.map(segment.file(), segment.base(), (int) (segment.end() - segment.base()));
            segments.add(mapped);
            if (!last || fresh != null) {
                mapped.close(end);
            }
        }
        if (fresh != null) {
            segments.add(fresh);
        }
        if (!(settings.fsync() instanceof Fsync.Never)) {
            for (Segment segment : segments) {
                segment.force(segment.base, segment.end);
            }
            files.forceDirectory();
        }
    }

    private static long pageAligned(long position) {
        return (position + PAGE_BYTES - 1) & -PAGE_BYTES;
    }
}
