package io.penstock.engine.log.journal;

import java.time.Duration;

/** When the journal makes its records safe against power loss; a killed process loses nothing in any of them. */
public sealed interface Fsync {
    /** The kernel writes when it likes: a power cut may lose about the last half minute. */
    record Never() implements Fsync {}

    /** A background force every so often: a power cut may lose what the last period held. */
    record Interval(Duration period) implements Fsync {
        public Interval {
            if (period.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "journal.fsync interval is " + period + "; it must be at least 1 millisecond");
            }
        }
    }

    /** Group commit: {@link Journal#whenDurable} tells when a record is on the disk. */
    record Always() implements Fsync {}
}
