package io.penstock.engine.pump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.engine.agent.TurnRates;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How often turns begin. The clock is the test's. */
class TurnPaceTest {

    /** Shortly before the clock overflows. */
    private long nanos = Long.MAX_VALUE - 5;

    private TurnPace pace(int perMinute, int backgroundPerMinute) {
        return new TurnPace(new TurnRates(perMinute, backgroundPerMinute), () -> nanos);
    }

    private static void admit(TurnPace pace, int turns, boolean background) {
        for (int i = 0; i < turns; i++) {
            pace.admit("codex", background);
        }
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void asManyBeginAtOnceAsInAMinuteAndThenOneWhenItIsDue() {
        TurnPace pace = pace(4, 0);
        admit(pace, 4, false);
        Failure failure = assertThrows(Failure.class, () -> pace.admit("codex", true));
        assertEquals(FailureCode.QUOTA_EXCEEDED, failure.code());
        assertEquals(
                "Agents of the profile codex begin at most 4 turns in a minute: try again in 16 s",
                failure.getMessage());
        pass(Duration.ofSeconds(15));
        admit(pace, 1, false);
        assertThrows(Failure.class, () -> pace.admit("codex", false));
        pass(Duration.ofHours(1));
        admit(pace, 4, false);
        assertThrows(Failure.class, () -> pace.admit("codex", false));
    }

    @Test
    void eachProfileHasItsOwnRate() {
        TurnPace pace = pace(1, 0);
        pace.admit("codex", false);
        pace.admit("pi", false);
        assertThrows(Failure.class, () -> pace.admit("pi", false));
    }

    @Test
    void aDedicatedRateIsApartFromTheSharedOne() {
        TurnPace pace = pace(1, 2);
        admit(pace, 2, true);
        assertThrows(Failure.class, () -> pace.admit("codex", true));
        admit(pace, 1, false);
        assertThrows(Failure.class, () -> pace.admit("codex", false));
    }

    @Test
    void withoutRatesNothingIsLimited() {
        TurnPace pace = pace(0, 0);
        admit(pace, 1000, true);
        admit(pace, 1000, false);
        assertFalse(pace.isLimited());
    }
}
