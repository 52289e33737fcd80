package io.penstock.engine.pump;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndedStateCacheTest {

    private static final TaskState ENDED = TaskState.ABSENT.after(new Frame(
            StreamId.task("t"),
            0,
            1,
            new ToolTaskStatus(
                    Phase.ENDED,
                    Ending.failed(),
                    null,
                    1L,
                    List.of(),
                    "there is no such tool",
                    null,
                    Cause.REQUEST,
                    Actor.SERVER)));

    private final EndedStateCache states = new EndedStateCache();

    @Test
    void onlyEndedTasksAreKept() {
        states.putIfEnded("a", TaskState.ABSENT);
        assertNull(states.find("a"), "it may change");
        assertSame(ENDED, states.putIfEnded("a", ENDED));
        assertSame(ENDED, states.find("a"));
        assertNull(states.find("b"));
    }

    @Test
    void leastRecentlyRequestedIsEvicted() {
        for (int i = 0; i < Limits.ENDED_STATES; i++) {
            states.putIfEnded("t" + i, ENDED);
        }
        assertSame(ENDED, states.find("t0"));
        states.putIfEnded("one more", ENDED);
        assertSame(ENDED, states.find("t0"));
        assertNull(states.find("t1"));
    }

    @Test
    void endingTasksEvictNoRequestedOnes() {
        states.putIfEnded("asked for", ENDED);
        for (int i = 0; i <= Limits.ENDED_STATES; i++) {
            states.put("t" + i, ENDED);
        }
        assertSame(ENDED, states.find("asked for"));
        assertSame(ENDED, states.find("t1"));
        assertNull(states.find("t0"), "the cache has room for the newer ones only");
    }

    @Test
    void concurrentCallersShareOneFold() {
        Promise<TaskState> folded = Promise.promise();
        Future<TaskState> first = states.of("t", folded::future);
        Future<TaskState> second = states.of("t", () -> Future.failedFuture("folded twice"));
        folded.complete(ENDED);
        assertSame(ENDED, first.result());
        assertSame(ENDED, second.result());
    }

    @Test
    void failedFoldIsRepeatedForNextCaller() {
        states.of("t", () -> {
            throw new IllegalStateException("the log is away");
        });
        assertSame(ENDED, states.of("t", () -> Future.succeededFuture(ENDED)).result());
    }
}
