package io.penstock.engine.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LanesTest {

    @Test
    void oldestTaskWithRoomRunsNext() {
        var lanes = new Lanes(new Quotas(2, 2, 10));
        LaneSlot a = lanes.enter("s");
        LaneSlot b = lanes.enter("s");
        LaneSlot c = lanes.enter("s");
        LaneSlot d = lanes.enter("t");
        assertTrue(a.whenTurnComes().isComplete() && b.whenTurnComes().isComplete());
        assertFalse(c.whenTurnComes().isComplete() || d.whenTurnComes().isComplete());
        assertEquals(1, d.ahead());
        lanes.release(b);
        assertTrue(c.whenTurnComes().isComplete());
        assertFalse(d.whenTurnComes().isComplete());
        lanes.release(a);
        assertTrue(d.whenTurnComes().isComplete());
    }

    @Test
    void sessionAtItsLimitDoesNotHoldUpOthers() {
        var lanes = new Lanes(new Quotas(3, 1, 10));
        LaneSlot a = lanes.enter("s");
        LaneSlot waits = lanes.enter("s");
        assertTrue(lanes.enter("t").whenTurnComes().isComplete());
        assertTrue(lanes.enter(null).whenTurnComes().isComplete());
        assertFalse(waits.whenTurnComes().isComplete());
        lanes.release(a);
        assertTrue(waits.whenTurnComes().isComplete());
    }

    @Test
    void tasksWithoutASessionHaveOnlyTheTotalLimit() {
        var lanes = new Lanes(new Quotas(3, 1, 0));
        for (int i = 0; i < 3; i++) {
            assertTrue(lanes.enter(null).whenTurnComes().isComplete());
        }
        var refused = assertThrows(Failure.class, () -> lanes.enter(null));
        assertEquals(FailureCode.QUOTA_EXCEEDED, refused.code());
    }

    @Test
    void fullQueueRefusesNewButNotRestoredTasks() {
        var lanes = new Lanes(new Quotas(1, 1, 1));
        LaneSlot runs = lanes.enter("s");
        lanes.enter("s");
        assertThrows(Failure.class, () -> lanes.enter("s"));
        assertThrows(Failure.class, () -> lanes.enter("t"));
        LaneSlot again = lanes.restore("s", 7);
        lanes.release(again);
        lanes.release(again);
        lanes.release(runs);
        assertEquals(1, lanes.running());
        assertEquals(0, lanes.waiting());
    }

    @Test
    void restoredTasksComeBeforeNewOnes() {
        var lanes = new Lanes(new Quotas(1, 1, 0));
        LaneSlot first = lanes.restore("s", 40);
        LaneSlot second = lanes.restore("t", 90);
        LaneSlot accepted = lanes.enterAccepted("s");
        assertEquals(List.of(40L, 90L, 91L), List.of(first.arrival(), second.arrival(), accepted.arrival()));
        lanes.release(first);
        assertFalse(second.isWaiting());
        assertTrue(accepted.isWaiting());
    }

    @Test
    void closedLanesAdmitNoTask() {
        var lanes = new Lanes(new Quotas(1, 1, 10));
        LaneSlot runs = lanes.enter("s");
        LaneSlot waits = lanes.enter("s");
        lanes.close();
        lanes.release(runs);
        assertTrue(waits.isWaiting());
        LaneSlot comes = lanes.enter("t");
        assertTrue(comes.isWaiting());
        lanes.open();
        assertFalse(waits.isWaiting());
        assertTrue(comes.isWaiting());
    }

    /** For any sequence of entries and releases the quotas hold, and no task waits while there is room for it. */
    @Test
    void quotasHoldAndNoTaskWaitsNeedlessly() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var quotas = new Quotas(1 + random.nextInt(6), 1 + random.nextInt(3), 1000);
            var lanes = new Lanes(quotas);
            List<LaneSlot> there = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                if (there.isEmpty() || random.nextInt(5) < 3) {
                    int session = random.nextInt(4);
                    there.add(lanes.enter(session == 0 ? null : "s" + session));
                } else {
                    lanes.release(there.remove(random.nextInt(there.size())));
                }
                check(quotas, lanes, there, seed);
            }
            for (LaneSlot place : List.copyOf(there)) {
                lanes.release(place);
            }
            assertEquals(0, lanes.running() + lanes.waiting());
        }
    }

    private static void check(Quotas quotas, Lanes lanes, List<LaneSlot> there, int seed) {
        Map<String, Integer> perLane = new HashMap<>();
        int running = 0;
        for (LaneSlot place : there) {
            if (place.whenTurnComes().isComplete()) {
                running++;
                perLane.merge(place.lane, 1, Integer::sum);
            }
        }
        assertEquals(lanes.running(), running, "seed " + seed);
        assertTrue(running <= quotas.running(), "seed " + seed);
        for (LaneSlot place : there) {
            int ofLane = perLane.getOrDefault(place.lane, 0);
            boolean laneHasRoom = place.lane.isEmpty() || ofLane < quotas.runningPerSession();
            assertTrue(place.lane.isEmpty() || ofLane <= quotas.runningPerSession(), "seed " + seed);
            assertTrue(
                    place.whenTurnComes().isComplete() || !laneHasRoom || running == quotas.running(),
                    "a task waits although there is room, seed " + seed);
        }
    }
}
