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
import java.util.List;
import org.junit.jupiter.api.Test;

class EndedStatesTest {

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

    private final EndedStates states = new EndedStates();

    @Test
    void onlyWhatHasEndedIsKept() {
        states.keep("a", TaskState.ABSENT);
        assertNull(states.find("a"), "it may change");
        assertSame(ENDED, states.keep("a", ENDED));
        assertSame(ENDED, states.find("a"));
        assertNull(states.find("b"));
    }

    @Test
    void itHoldsSoManyAndThoseThatWereAskedForLast() {
        for (int i = 0; i < Limits.ENDED_STATES; i++) {
            states.keep("t" + i, ENDED);
        }
        assertSame(ENDED, states.find("t0"));
        states.keep("one more", ENDED);
        assertSame(ENDED, states.find("t0"));
        assertNull(states.find("t1"));
    }
}
