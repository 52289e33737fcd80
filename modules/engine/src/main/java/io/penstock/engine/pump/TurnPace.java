package io.penstock.engine.pump;

import io.penstock.engine.agent.TurnRates;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Keeps the rates of turns: a profile may begin as many at once as in a minute, and then one whenever the next is due. May be called from
 * any thread.
 */
final class TurnPace {

    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final TurnRates rates;
    private final LongSupplier nanos;

    /** The time at which all that has begun would have been due, one after the other. Profiles are few. */
    private final Map<Counted, Long> dueNanos = new HashMap<>();

    private record Counted(String profile, boolean background) {}

    /** @param nanos the time, as {@link System#nanoTime} has it */
    TurnPace(TurnRates rates, LongSupplier nanos) {
        this.rates = rates;
        this.nanos = nanos;
    }

    boolean isLimited() {
        return !rates.equals(TurnRates.NONE);
    }

    /**
     * Counts a turn that begins; {@code QUOTA_EXCEEDED} if it is too early.
     *
     * @param background whether the agent ends with its turn
     */
    synchronized void admit(String profile, boolean background) {
        boolean dedicated = background && rates.backgroundPerMinute() > 0;
        int perMinute = dedicated ? rates.backgroundPerMinute() : rates.perMinute();
        if (perMinute == 0) {
            return;
        }
        var counted = new Counted(profile, dedicated);
        long now = nanos.getAsLong();
        Long due = dueNanos.get(counted);
        // Compared by differences: this clock may begin anywhere and overflow.
        long from = due == null || due - now < 0 ? now : due;
        long next = from + MINUTE_NANOS / perMinute;
        long tooEarly = next - now - MINUTE_NANOS;
        if (tooEarly > 0) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    "Agents of the profile " + profile + " begin at most " + perMinute
                            + (dedicated ? " background turns" : " turns") + " in a minute: try again in "
                            + (TimeUnit.NANOSECONDS.toSeconds(tooEarly) + 1) + " s");
        }
        dueNanos.put(counted, next);
    }
}
