package io.penstock.engine.log.retention;

import io.penstock.engine.log.store.RemovalReason;
import java.util.Locale;

/**
 * What one removal has removed.
 *
 * @param beforeMs all that had ended before this time, except for what had to stay
 * @param bytes given back to the disk
 */
public record Removal(long atMs, RemovalReason reason, long beforeMs, long tasks, long sessions, long bytes) {

    /** The reason as one word. */
    public String reasonName() {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
