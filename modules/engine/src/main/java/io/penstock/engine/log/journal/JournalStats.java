package io.penstock.engine.log.journal;

/** The journal at one moment: positions are bytes, everything below {@code durable} is as safe as the setting asks. */
public record JournalStats(int segments, long tail, long released, long durable, JournalState state) {
    public long backlogBytes() {
        return tail - released;
    }
}
