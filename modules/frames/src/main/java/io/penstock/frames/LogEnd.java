package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * How much of a channel there was in the end, and how much of it is stored.
 *
 * @param error why storing stopped early, if it did for another reason than the cap
 */
public record LogEnd(
        LogRef log,
        long bytesTotal,
        long bytesStored,
        @Nullable String error) {

    public LogEnd {
        Checks.notNegative(bytesTotal, "bytes_total");
        Checks.notNegative(bytesStored, "bytes_stored");
        error = Checks.textOrNull(error, "error");
        if (bytesStored > bytesTotal) {
            throw new IllegalArgumentException("bytes_stored " + bytesStored + " exceeds bytes_total " + bytesTotal);
        }
    }

    public boolean truncated() {
        return bytesStored < bytesTotal;
    }
}
