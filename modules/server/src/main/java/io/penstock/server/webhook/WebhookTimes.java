package io.penstock.server.webhook;

/**
 * How often and when an item is sent.
 *
 * @param attempts after this many, it becomes a dead letter
 * @param firstRetryMs the longest wait after the first attempt; it doubles with each
 * @param mostRetryMs the longest wait after any
 * @param timeoutMs for a whole delivery, from the connection to the answer
 */
public record WebhookTimes(int attempts, long firstRetryMs, long mostRetryMs, long timeoutMs) {

    /** Sixteen attempts take about forty minutes: a restart of the receiver and a short outage. */
    public static final WebhookTimes DEFAULT = new WebhookTimes(16, 1_000, 300_000, 15_000);

    public WebhookTimes {
        if (attempts < 1 || firstRetryMs < 1 || mostRetryMs < firstRetryMs || timeoutMs < 1) {
            throw new IllegalArgumentException("there is at least one attempt, and times are positive, not " + attempts
                    + ", " + firstRetryMs + ", " + mostRetryMs + ", " + timeoutMs);
        }
    }

    /**
     * The wait after an attempt: half of it fixed and half of it by chance, so that sessions whose receiver returns do not all come at once.
     *
     * @param chance from 0 to 1
     */
    long retryMs(int attempt, double chance) {
        long longest = Math.min(mostRetryMs, firstRetryMs << Math.min(attempt - 1, 30));
        return Math.max(1, longest / 2 + Math.round(longest / 2.0 * chance));
    }
}
