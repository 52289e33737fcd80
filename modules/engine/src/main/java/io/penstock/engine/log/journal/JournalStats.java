package io.penstock.engine.log.journal;

/**
 * The journal's figures at one moment: positions are in bytes, and everything below {@code durable} is as safe as the
 * setting demands.
 */
public record JournalStats(int segments, long tail, long released, long durable, JournalState state) {
    public long backlogBytes() {
        return tail - released;
    }
}
