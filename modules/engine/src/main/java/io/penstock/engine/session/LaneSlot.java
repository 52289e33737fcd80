package io.penstock.engine.session;

import io.vertx.core.Future;
import io.vertx.core.Promise;

/** A task's slot among those that run or wait. */
public final class LaneSlot {

    final LaneKey lane;
    final long arrival;
    private final long ahead;
    private final Promise<Void> admitted = Promise.promise();
    boolean released;

    LaneSlot(LaneKey lane, long arrival, long ahead) {
        this.lane = lane;
        this.arrival = arrival;
        this.ahead = ahead;
    }

    /** Completes when the task may run: at once, or after others have released their slots. */
    public Future<Void> whenTurnComes() {
        return admitted.future();
    }

    /** Whether the task still waits for its turn. */
    public boolean isWaiting() {
        return !admitted.future().isComplete();
    }

    /** Its number in the order of arrival. */
    public long arrival() {
        return arrival;
    }

    /** The lane's name for people: the session, or "node" for tasks without one. */
    public String laneName() {
        return lane.name();
    }

    /** The number of tasks that were waiting when it arrived. */
    public long ahead() {
        return ahead;
    }

    void admit() {
        admitted.complete();
    }
}
