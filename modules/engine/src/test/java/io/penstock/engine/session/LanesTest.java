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
        LaneSlot a = lanes.enter(LaneKey.of("s"));
        LaneSlot b = lanes.enter(LaneKey.of("s"));
        LaneSlot c = lanes.enter(LaneKey.of("s"));
        LaneSlot d = lanes.enter(LaneKey.of("t"));
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
        LaneSlot a = lanes.enter(LaneKey.of("s"));
        LaneSlot waits = lanes.enter(LaneKey.of("s"));
        assertTrue(lanes.enter(LaneKey.of("t")).whenTurnComes().isComplete());
        assertTrue(lanes.enter(LaneKey.of(null)).whenTurnComes().isComplete());
        assertFalse(waits.whenTurnComes().isComplete());
        lanes.release(a);
        assertTrue(waits.whenTurnComes().isComplete());
    }

    @Test
    void tasksWithoutASessionHaveOnlyTheTotalLimit() {
        var lanes = new Lanes(new Quotas(3, 1, 0));
        for (int i = 0; i < 3; i++) {
            assertTrue(lanes.enter(LaneKey.of(null)).whenTurnComes().isComplete());
        }
        var refused = assertThrows(Failure.class, () -> lanes.enter(LaneKey.of(null)));
        assertEquals(FailureCode.QUOTA_EXCEEDED, refused.code());
    }

    @Test
    void fullQueueRefusesNewButNotRestoredTasks() {
        var lanes = new Lanes(new Quotas(1, 1, 1));
        LaneSlot runs = lanes.enter(LaneKey.of("s"));
        lanes.enter(LaneKey.of("s"));
        assertThrows(Failure.class, () -> lanes.enter(LaneKey.of("s")));
        assertThrows(Failure.class, () -> lanes.enter(LaneKey.of("t")));
        LaneSlot again = lanes.restore(LaneKey.of("s"), 7);
        lanes.release(again);
        lanes.release(again);
        lanes.release(runs);
        assertEquals(1, lanes.running());
        assertEquals(0, lanes.waiting());
    }

    @Test
    void restoredTasksComeBeforeNewOnes() {
        var lanes = new Lanes(new Quotas(1, 1, 0));
        LaneSlot first = lanes.restore(LaneKey.of("s"), 40);
        LaneSlot second = lanes.restore(LaneKey.of("t"), 90);
        LaneSlot accepted = lanes.enterAccepted(LaneKey.of("s"));
        assertEquals(List.of(40L, 90L, 91L), List.of(first.arrival(), second.arrival(), accepted.arrival()));
        lanes.release(first);
        assertFalse(second.isWaiting());
        assertTrue(accepted.isWaiting());
    }

    @Test
    void closedLanesAdmitNoTask() {
        var lanes = new Lanes(new Quotas(1, 1, 10));
        LaneSlot runs = lanes.enter(LaneKey.of("s"));
        LaneSlot waits = lanes.enter(LaneKey.of("s"));
        lanes.close();
        lanes.release(runs);
        assertTrue(waits.isWaiting());
        LaneSlot comes = lanes.enter(LaneKey.of("t"));
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
                    there.add(lanes.enter(new LaneKey(session == 0 ? null : "s" + session, session % 3 == 2)));
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
        Map<LaneKey, Integer> perLane = new HashMap<>();
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
            int limit = place.lane.limit(quotas);
            boolean laneHasRoom = ofLane < limit;
            assertTrue(ofLane <= limit, "seed " + seed);
            assertTrue(
                    place.whenTurnComes().isComplete() || !laneHasRoom || running == quotas.running(),
                    "a task waits although there is room, seed " + seed);
        }
    }

    @Test
    void serialLaneRunsOneTaskAtATime() {
        var lanes = new Lanes(new Quotas(100, 50, 100));
        var serial = new LaneKey("s", true);
        LaneSlot first = lanes.enter(serial);
        LaneSlot second = lanes.enter(serial);
        LaneSlot third = lanes.enter(serial);
        assertTrue(lanes.enter(LaneKey.of("s")).whenTurnComes().isComplete());
        assertTrue(lanes.enter(new LaneKey("t", true)).whenTurnComes().isComplete());
        assertTrue(first.whenTurnComes().isComplete());
        assertTrue(second.isWaiting());
        lanes.release(first);
        assertTrue(second.whenTurnComes().isComplete());
        assertTrue(third.isWaiting());
    }
}
