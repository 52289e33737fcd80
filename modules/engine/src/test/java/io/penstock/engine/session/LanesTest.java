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
    void theOldestWhoMayRunsNext() {
        var lanes = new Lanes(new Quotas(2, 2, 10));
        Place a = lanes.enter("s");
        Place b = lanes.enter("s");
        Place c = lanes.enter("s");
        Place d = lanes.enter("t");
        assertTrue(a.turn().isComplete() && b.turn().isComplete());
        assertFalse(c.turn().isComplete() || d.turn().isComplete());
        assertEquals(1, d.ahead());
        lanes.leave(b);
        assertTrue(c.turn().isComplete());
        assertFalse(d.turn().isComplete());
        lanes.leave(a);
        assertTrue(d.turn().isComplete());
    }

    @Test
    void aSessionAtItsLimitKeepsNobodyElseWaiting() {
        var lanes = new Lanes(new Quotas(3, 1, 10));
        Place a = lanes.enter("s");
        Place waits = lanes.enter("s");
        assertTrue(lanes.enter("t").turn().isComplete());
        assertTrue(lanes.enter(null).turn().isComplete());
        assertFalse(waits.turn().isComplete());
        lanes.leave(a);
        assertTrue(waits.turn().isComplete());
    }

    @Test
    void whoNamesNoSessionHasOnlyTheLimitOfAll() {
        var lanes = new Lanes(new Quotas(3, 1, 0));
        for (int i = 0; i < 3; i++) {
            assertTrue(lanes.enter(null).turn().isComplete());
        }
        var refused = assertThrows(Failure.class, () -> lanes.enter(null));
        assertEquals(FailureCode.QUOTA_EXCEEDED, refused.code());
    }

    @Test
    void aFullQueueRefusesAndWhatWaitedBeforeARestartIsTakenAnyway() {
        var lanes = new Lanes(new Quotas(1, 1, 1));
        Place runs = lanes.enter("s");
        lanes.enter("s");
        assertThrows(Failure.class, () -> lanes.enter("s"));
        assertThrows(Failure.class, () -> lanes.enter("t"));
        Place again = lanes.enterAgain("s", 7);
        lanes.leave(again);
        lanes.leave(again);
        lanes.leave(runs);
        assertEquals(1, lanes.running());
        assertEquals(0, lanes.waiting());
    }

    @Test
    void whoWaitedBeforeARestartComesBeforeAllWhoComeAfterIt() {
        var lanes = new Lanes(new Quotas(1, 1, 0));
        Place first = lanes.enterAgain("s", 40);
        Place second = lanes.enterAgain("t", 90);
        Place accepted = lanes.enterAccepted("s");
        assertEquals(List.of(40L, 90L, 91L), List.of(first.arrival(), second.arrival(), accepted.arrival()));
        lanes.leave(first);
        assertFalse(second.waits());
        assertTrue(accepted.waits());
    }

    @Test
    void whileTheLanesAreClosedWhoWaitsGoesOnWaiting() {
        var lanes = new Lanes(new Quotas(1, 1, 10));
        Place runs = lanes.enter("s");
        Place waits = lanes.enter("s");
        lanes.close();
        lanes.leave(runs);
        assertTrue(waits.waits());
        Place comes = lanes.enter("t");
        assertTrue(comes.waits());
        lanes.open();
        assertFalse(waits.waits());
        assertTrue(comes.waits());
    }

    /** Any mix of coming and going: never more than the quotas, and nobody waits while there is room for him. */
    @Test
    void quotasHoldAndNobodyWaitsForNothing() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var quotas = new Quotas(1 + random.nextInt(6), 1 + random.nextInt(3), 1000);
            var lanes = new Lanes(quotas);
            List<Place> there = new ArrayList<>();
            for (int step = 0; step < 300; step++) {
                if (there.isEmpty() || random.nextInt(5) < 3) {
                    int session = random.nextInt(4);
                    there.add(lanes.enter(session == 0 ? null : "s" + session));
                } else {
                    lanes.leave(there.remove(random.nextInt(there.size())));
                }
                check(quotas, lanes, there, seed);
            }
            for (Place place : List.copyOf(there)) {
                lanes.leave(place);
            }
            assertEquals(0, lanes.running() + lanes.waiting());
        }
    }

    private static void check(Quotas quotas, Lanes lanes, List<Place> there, int seed) {
        Map<String, Integer> perLane = new HashMap<>();
        int running = 0;
        for (Place place : there) {
            if (place.turn().isComplete()) {
                running++;
                perLane.merge(place.lane, 1, Integer::sum);
            }
        }
        assertEquals(lanes.running(), running, "seed " + seed);
        assertTrue(running <= quotas.running(), "seed " + seed);
        for (Place place : there) {
            int ofLane = perLane.getOrDefault(place.lane, 0);
            boolean laneHasRoom = place.lane.isEmpty() || ofLane < quotas.runningPerSession();
            assertTrue(place.lane.isEmpty() || ofLane <= quotas.runningPerSession(), "seed " + seed);
            assertTrue(
                    place.turn().isComplete() || !laneHasRoom || running == quotas.running(),
                    "one waits though there is room, seed " + seed);
        }
    }
}
