package io.penstock.engine.log.journal;

import static io.penstock.engine.log.journal.RecordFormat.HEAD_BYTES;

import io.penstock.engine.log.journal.JournalUnavailable.Reason;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's sequence of records. A record is accepted once {@link #append} has returned its position: it then survives
 * the end of this process, however it ends. Positions only grow and are never reused.
 */
public final class Journal implements AutoCloseable {
    /** Not appended: the unreleased records have reached the backlog limit. */
    public static final long NO_ROOM_IN_BACKLOG = -1;

    /** Not appended: the segment is full and the next is not ready because the disk is slow or full; see the state. */
    public static final long NO_ROOM_ON_DISK = -2;

    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(Journal.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final JournalSettings settings;
    private final DirectoryLock directoryLock;
    private final Recovery recovery;
    private final SegmentKeeper keeper;
    private final Durability durability;
    private final List<Runnable> roomListeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private final LiveSegments segments;
    // Written under the lock; the tail and the segments are also read without it.
    private long tail;
    private Segment current;
    private volatile long released;
    private int awaitedBytes;
    private volatile @Nullable JournalUnavailable unavailable;
    private final RecordChecksum checksum = new RecordChecksum();

    Journal(
            JournalSettings settings,
            DirectoryLock directoryLock,
            List<Segment> segments,
            long tail,
            long released,
            Recovery recovery) {
        this.settings = settings;
        this.directoryLock = directoryLock;
        this.segments = new LiveSegments(segments);
        this.current = segments.getLast();
        this.tail = tail;
        this.released = released;
        this.recovery = recovery;
        this.keeper = new SegmentKeeper(new SegmentFiles(settings), current.end, this::notifyRoom);
        this.durability = new Durability(this, settings.fsync(), tail);
    }

    /** Opens or creates a journal; everything below the drained position is already in the database. */
    public static Journal open(JournalSettings settings, long drainedPosition) {
        Journal journal = JournalOpening.open(settings, drainedPosition);
        journal.keeper.start();
        journal.durability.start();
        return journal;
    }

    /** The id of the journal in a directory, if there is one. */
    public static Optional<UUID> idIn(Path directory) {
        return JournalOpening.idIn(directory);
    }

    /** The result of opening the journal. */
    public Recovery recovery() {
        return recovery;
    }

    /**
     * Appends a record and returns its position, or a negative constant if there is no room: then nothing was written,
     * and {@link #onRoom} notifies when to retry.
     */
    public long append(byte[] payload, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, payload.length);
        if (length > settings.maxRecordBytes()) {
            throw new IllegalArgumentException("a journal record of " + length + " bytes is over the limit of "
                    + settings.maxRecordBytes() + " bytes");
        }
        int bytes = RecordFormat.bytesInFile(length);
        try {
            return appendChecked(payload, offset, length, bytes);
        } catch (InternalError e) {
            // The JVM turns a SIGBUS into this error: the disk did not provide the space it had allocated.
            throw fail(
                    "The journal in " + directory() + " could not be written: " + JournalOpening.cause(e)
                            + "; no more records are accepted; check the disk and restart.",
                    e);
        }
    }

    private long appendChecked(byte[] payload, int offset, int length, int bytes) {
        synchronized (lock) {
            if (unavailable != null) {
                throw refusal(unavailable);
            }
            if (tailAfter(bytes) - released > settings.backlogLimitBytes()) {
                return awaitRoom(bytes, NO_ROOM_IN_BACKLOG);
            }
            if (current.end - tail < bytes && !rollSegment()) {
                return awaitRoom(bytes, NO_ROOM_ON_DISK);
            }
            long position = tail;
            current.write(position, payload, offset, length, checksum);
            TAIL.setRelease(this, position + bytes);
            return position;
        }
    }

    public long append(byte[] payload) {
        return append(payload, 0, payload.length);
    }

    private long tailAfter(int bytes) {
        return bytes <= current.end - tail ? tail + bytes : current.end + RecordFormat.PAGE_BYTES + bytes;
    }

    private long awaitRoom(int bytes, long why) {
        awaitedBytes = awaitedBytes == 0 ? bytes : Math.min(awaitedBytes, bytes);
        return why;
    }

    private boolean rollSegment() {
        Segment next = keeper.takePrepared();
        if (next == null) {
            return false;
        }
        // This order ensures that a killed process leaves either no closing mark or one with a segment that follows
        // it.
        next.follow(tail);
        current.close(tail);
        segments.add(next);
        current = next;
        TAIL.setRelease(this, next.firstPosition());
        dropReleased();
        return true;
    }

    /**
     * Adds a listener that runs whenever there is room again after a rejected append, on a journal thread or the thread
     * that released.
     */
    public void onRoom(Runnable listener) {
        roomListeners.add(listener);
    }

    private void notifyRoom() {
        synchronized (lock) {
            boolean room = awaitedBytes > 0
                    && tailAfter(awaitedBytes) - released <= settings.backlogLimitBytes()
                    && (current.end - tail >= awaitedBytes || keeper.ready());
            if (!room) {
                return;
            }
            awaitedBytes = 0;
        }
        runRoomListeners();
    }

    private void runRoomListeners() {
        for (Runnable listener : roomListeners) {
            try {
                listener.run();
            } catch (RuntimeException e) {
                System.getLogger(Journal.class.getName())
                        .log(System.Logger.Level.ERROR, "a listener for room in the journal failed", e);
            }
        }
    }

    /**
     * Everything below this position is stored elsewhere: it no longer counts as backlog, and its files are deleted.
     */
    public void release(long position) {
        synchronized (lock) {
            if (position > tail) {
                throw new IllegalArgumentException(
                        "cannot release up to " + position + ", the journal ends at " + tail);
            }
            if (unavailable != null || position <= released) {
                return;
            }
            released = position;
            dropReleased();
        }
        notifyRoom();
    }

    private void dropReleased() {
        segments.removeBelow(released).forEach(keeper::delete);
    }

    /** A cursor that starts with the first record at or after a position that has not been released. */
    public JournalReader reader(long position) {
        if (position < 0 || position > tail()) {
            throw new IllegalArgumentException("cannot read from " + position + ", the journal ends at " + tail());
        }
        return new JournalReader(this, position);
    }

    /** The payload of the record at a position, or null if it has been released. */
    public byte @Nullable [] read(long position) {
        if (position < 0 || position % RecordFormat.ALIGNMENT != 0 || position >= tail()) {
            throw noRecord(position);
        }
        requireNotClosed();
        Segment segment = segments.holding(position);
        if (segment == null) {
            return null;
        }
        try {
            int size = position < segment.firstPosition() ? 0 : segment.sizeAt(position);
            if (size < HEAD_BYTES || size > segment.end - position) {
                throw noRecord(position);
            }
            byte[] payload = new byte[size - HEAD_BYTES];
            segment.copyPayload(position, payload, payload.length);
            if (segment.crcAt(position) != new RecordChecksum().of(position, payload, 0, payload.length)) {
                throw noRecord(position);
            }
            return payload;
        } catch (IllegalStateException e) {
            // Unmapped meanwhile, by a release or because the journal was closed.
            requireNotClosed();
            return null;
        }
    }

    JournalUnavailable noRecord(long position) {
        return new JournalUnavailable(
                Reason.DAMAGED, "The journal in " + directory() + " has no whole record at position " + position + ".");
    }

    void requireNotClosed() {
        JournalUnavailable why = unavailable;
        if (why != null && why.reason() == Reason.CLOSED) {
            throw refusal(why);
        }
    }

    /** Everything below is on the disk; with {@link Fsync.Never}, nothing is forced, so this is the tail. */
    public long durablePosition() {
        return durability.position();
    }

    /**
     * Runs exactly one of the callbacks, once: when the record at the position is as durable as the setting demands, or
     * when it never will be. Runs at once on this thread, or later on the thread that forces.
     */
    public void whenDurable(long position, Runnable durable, Consumer<JournalUnavailable> failed) {
        durability.when(position, durable, failed);
    }

    /** Records below this position can no longer be read; later ones can, even released ones. */
    public long heldPosition() {
        return segments.first().base;
    }

    /** Everything below is stored elsewhere; after a loss of segments, reading must start here. */
    public long releasedPosition() {
        return released;
    }

    /** The position of the next record, if the segment has room for it. */
    public long tail() {
        return (long) TAIL.getAcquire(this);
    }

    public JournalStats stats() {
        synchronized (lock) {
            return new JournalStats(segments.count(), tail, released, durability.position(), state());
        }
    }

    public JournalState state() {
        JournalUnavailable why = unavailable;
        if (why != null) {
            return why.reason() == Reason.CLOSED ? new JournalState.Closed() : new JournalState.Failed(why.sentence());
        }
        String trouble = keeper.trouble();
        return trouble == null ? new JournalState.Open() : new JournalState.Full(trouble);
    }

    Path directory() {
        return settings.directory();
    }

    LiveSegments segments() {
        return segments;
    }

    JournalUnavailable fail(String sentence, Throwable cause) {
        JournalUnavailable failure = new JournalUnavailable(Reason.FAILED, sentence, cause);
        synchronized (lock) {
            if (unavailable == null) {
                unavailable = failure;
            }
        }
        durability.fail(failure);
        // Writers that wait for room retry and get the error.
        runRoomListeners();
        return failure;
    }

    private static JournalUnavailable refusal(JournalUnavailable why) {
        return new JournalUnavailable(why.reason(), why.sentence(), why);
    }

    /** Forces all written records, whatever the setting, and releases the directory; closing twice does nothing. */
    @Override
    public void close() {
        JournalUnavailable closed =
                new JournalUnavailable(Reason.CLOSED, "The journal in " + directory() + " has been closed.");
        synchronized (lock) {
            if (unavailable != null && unavailable.reason() == Reason.CLOSED) {
                return;
            }
            unavailable = closed;
        }
        Optional<JournalUnavailable> failure = durability.close(closed);
        keeper.close();
        segments.all().forEach(Segment::unmap);
        try {
            directoryLock.release();
        } catch (IOException e) {
            throw new JournalUnavailable(Reason.FAILED, "The lock of " + directory() + " could not be released.", e);
        }
        if (failure.isPresent()) {
            throw refusal(failure.get());
        }
    }
}
