package io.penstock.engine.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/** A task's place among those that run or wait. */
public final class Place {

    final String lane;
    final long arrival;
    private final long ahead;
    private final Promise<Void> turn = Promise.promise();
    boolean left;

    Place(@Nullable String session, long arrival, long ahead) {
        this.lane = session == null ? Lanes.NO_SESSION : session;
        this.arrival = arrival;
        this.ahead = ahead;
    }

    /** Completes when the task may run: at once, or when others have left. */
    public Future<Void> turn() {
        return turn.future();
    }

    /** Whether its turn is still to come. */
    public boolean waits() {
        return !turn.future().isComplete();
    }

    /** Its number among all that came, in their order. */
    public long arrival() {
        return arrival;
    }

    /** The lane's name, as people are told: the session, or the whole node for those that name none. */
    public String laneName() {
        return lane.isBlank() ? "node" : lane;
    }

    /** How many waited before it when it came. */
    public long ahead() {
        return ahead;
    }

    void letIn() {
        turn.complete();
    }
}
