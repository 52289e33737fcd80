package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.PAGE_BYTES;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of one journal directory: their names, and how they are created and set aside. */
record SegmentFiles(JournalSettings settings) {
    private static final Pattern NAME = Pattern.compile("([0-7][0-9a-f]{15})\\.journal");
    private static final Pattern UNFINISHED = Pattern.compile("[0-7][0-9a-f]{15}\\.journal\\.new");
    private static final int ZEROS_BYTES = 64 << 10;

    Path directory() {
        return settings.directory();
    }

    List<Path> inOrder() throws IOException {
        return inOrder(directory());
    }

    static List<Path> inOrder(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(
                            file -> NAME.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    static long baseOf(Path file) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (!name.matches()) {
            throw new IllegalArgumentException(file + " is not named as a journal segment");
        }
        return Long.parseLong(name.group(1), 16);
    }

    /** Removes segments that a crash left unfinished: they were never in use. */
    void dropUnfinished() throws IOException {
        List<Path> unfinished;
        try (Stream<Path> files = Files.list(directory())) {
            unfinished = files.filter(file ->
                            UNFINISHED.matcher(file.getFileName().toString()).matches())
                    .toList();
        }
        for (Path file : unfinished) {
            Files.delete(file);
        }
    }

    /**
     * Creates a segment of written zeros, so that a full disk shows here as an IOException and never at a store to the
     * mapping.
     */
    Segment create(long base) throws IOException {
        Path file = directory().resolve("%016x.journal".formatted(base));
        Path unfinished = directory().resolve("%016x.journal.new".formatted(base));
        try {
            try (FileChannel channel = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                byte[] page = new byte[PAGE_BYTES];
                new SegmentHeader(settings.journalId(), base, settings.segmentBytes())
                        .writeTo(MemorySegment.ofArray(page));
                writeFully(channel, ByteBuffer.wrap(page), 0);
                zero(channel, PAGE_BYTES, settings.segmentBytes());
                if (isForced()) {
                    channel.force(true);
                }
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            forceDirectory();
        } catch (IOException e) {
            try {
                Files.deleteIfExists(unfinished);
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
        return Segment.map(file, base, settings.segmentBytes());
    }

    /** Zeroes a file from one offset to another, extending it if it is shorter. */
    void zero(Path file, long from, long to) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            zero(channel, from, to);
            if (isForced()) {
                channel.force(true);
            }
        }
    }

    private static void zero(FileChannel channel, long from, long to) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
        for (long at = from; at < to; ) {
            zeros.clear().limit((int) Math.min(ZEROS_BYTES, to - at));
            at += writeFully(channel, zeros, at);
        }
    }

    private static int writeFully(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        int count = bytes.remaining();
        for (long next = at; bytes.hasRemaining(); ) {
            next += channel.write(bytes, next);
        }
        return count;
    }

    /**
     * Saves bytes that are to be cut from a segment in a file of their own, forced to the disk before anything is cut.
     */
    Path saveCut(long position, MemorySegment bytes) throws IOException {
        Path file = unusedName("cut-" + position, ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            writeFully(channel, bytes.asByteBuffer(), 0);
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        return file;
    }

    Path setAside(Path segment) throws IOException {
        Path aside = unusedName(segment.getFileName().toString(), ".aside");
        Files.move(segment, aside, StandardCopyOption.ATOMIC_MOVE);
        return aside;
    }

    private Path unusedName(String name, String suffix) {
        Path file = directory().resolve(name + suffix);
        for (int i = 2; Files.exists(file); i++) {
            file = directory().resolve(name + "-" + i + suffix);
        }
        return file;
    }

    void forceDirectory() throws IOException {
        if (isForced()) {
            try (FileChannel channel = FileChannel.open(directory(), StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private boolean isForced() {
        return !(settings.fsync() instanceof Fsync.Never);
    }
}
