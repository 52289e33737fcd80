package io.penstock.engine.agent;

import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What pi is doing, by its events. A turn may be several runs of its agent: pi repeats one after an error of the model or after it has
 * compacted the conversation, and says so before or right after the end of the run.
 */
final class PiActivity {

    private boolean started;
    private boolean running;
    private boolean retrying;
    private boolean compacting;
    private boolean continuing;
    private boolean compacted;

    /** A turn begins; a run that an extension has started may still be under way. */
    void beginTurn() {
        started = false;
        compacted = false;
    }

    /** Whether a run has started in this turn. */
    boolean started() {
        return started;
    }

    /** Whether a run is under way. */
    boolean running() {
        return running;
    }

    /** Whether pi has compacted the conversation since its last run: it then delivers queued messages by itself. */
    boolean compacted() {
        return compacted;
    }

    /** Whether nothing is under way or announced. */
    boolean quiet() {
        return !running && !retrying && !compacting && !continuing;
    }

    /** Nothing is under way, though an event that would have said so has not come. */
    void rest() {
        running = false;
        retrying = false;
        compacting = false;
        continuing = false;
    }

    /** Follows an event; returns whether it may be the last of a turn. */
    boolean follow(@Nullable String type, JsonObject event) {
        switch (type) {
            case "agent_start" -> {
                started = true;
                running = true;
                retrying = false;
                continuing = false;
                compacted = false;
                return false;
            }
            case "agent_end" -> running = false;
            case "auto_retry_start" -> retrying = true;
            case "auto_retry_end" -> retrying = false;
            case "compaction_start" -> compacting = true;
            case "compaction_end" -> {
                compacting = false;
                compacted = true;
                continuing = AgentJson.flag(event, "willRetry");
            }
            case null, default -> {
                return false;
            }
        }
        return quiet();
    }
}
