package io.penstock.engine.log.journal;

import java.time.Duration;

/** When the journal makes records safe against power loss; with every setting, a killed process loses nothing. */
public sealed interface Fsync {
    /** The kernel writes when it wants: a power cut may lose about the last 30 seconds. */
    record Never() implements Fsync {}

    /** A periodic force in the background: a power cut may lose the records of the last period. */
    record Interval(Duration period) implements Fsync {
        public Interval {
            if (period.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "journal.fsync interval is " + period + "; it must be at least 1 millisecond");
            }
        }
    }

    /** Group commit: {@link Journal#whenDurable} reports when a record is on the disk. */
    record Always() implements Fsync {}
}
