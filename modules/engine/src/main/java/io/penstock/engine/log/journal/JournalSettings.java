package io.penstock.engine.log.journal;

import io.penstock.frames.Limits;
import java.nio.file.Path;
import java.util.UUID;

/** A node's journal: its directory, its id and its limits. */
public record JournalSettings(
        Path directory, UUID journalId, int segmentBytes, int maxRecordBytes, long backlogLimitBytes, Fsync fsync) {
    /** Far above any frame: a larger payload belongs in an artifact. */
    private static final int DEFAULT_MAX_RECORD_BYTES = 1 << 20;

    private static final int LARGEST_SEGMENT_BYTES = 1 << 30;

    public JournalSettings {
        if (segmentBytes < 2 * RecordFormat.PAGE_BYTES
                || segmentBytes > LARGEST_SEGMENT_BYTES
                || segmentBytes % RecordFormat.PAGE_BYTES != 0) {
            throw new IllegalArgumentException("journal segment size is " + segmentBytes
                    + " bytes; it must be a multiple of 4096 between 8192 and " + LARGEST_SEGMENT_BYTES);
        }
        int room = segmentBytes - RecordFormat.PAGE_BYTES - RecordFormat.HEAD_BYTES;
        if (maxRecordBytes < 1 || maxRecordBytes > room) {
            throw new IllegalArgumentException("journal record limit is " + maxRecordBytes
                    + " bytes; it must be between 1 and " + room + ", what a segment can hold");
        }
        // Ensures that every record fits, even into the next segment, once all earlier records have been released.
        if (backlogLimitBytes < 2L * segmentBytes) {
            throw new IllegalArgumentException("journal backlog limit is " + backlogLimitBytes
                    + " bytes; it must be at least two segments, " + 2L * segmentBytes);
        }
    }

    public static JournalSettings of(Path directory, UUID journalId) {
        return new JournalSettings(
                directory,
                journalId,
                Limits.JOURNAL_SEGMENT_BYTES,
                DEFAULT_MAX_RECORD_BYTES,
                Limits.JOURNAL_BACKLOG_BYTES,
                new Fsync.Never());
    }

    public JournalSettings withFsync(Fsync fsync) {
        return new JournalSettings(directory, journalId, segmentBytes, maxRecordBytes, backlogLimitBytes, fsync);
    }
}
