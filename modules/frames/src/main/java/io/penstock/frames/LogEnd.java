package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/**
 * The final size of a channel, and of its stored part.
 *
 * @param error why storing stopped early, if for another reason than the cap
 * @param digest the digest of the stored bytes once sealed; null in frames recorded before this field existed
 */
public record LogEnd(
        LogRef log,
        long bytesTotal,
        long bytesStored,
        @Nullable String error,
        @Nullable String digest) {

    public LogEnd {
        Checks.notNegative(bytesTotal, "bytes_total");
        Checks.notNegative(bytesStored, "bytes_stored");
        error = Checks.textOrNull(error, "error");
        if (digest != null) {
            ArtifactWritten.requireDigest(digest);
        }
        if (bytesStored > bytesTotal) {
            throw new IllegalArgumentException("bytes_stored " + bytesStored + " exceeds bytes_total " + bytesTotal);
        }
    }

    /** For an artifact that is not sealed. */
    public LogEnd(LogRef log, long bytesTotal, long bytesStored, @Nullable String error) {
        this(log, bytesTotal, bytesStored, error, null);
    }

    LogEnd with(@Nullable String digest) {
        return new LogEnd(log, bytesTotal, bytesStored, error, digest);
    }

    public boolean truncated() {
        return bytesStored < bytesTotal;
    }
}
