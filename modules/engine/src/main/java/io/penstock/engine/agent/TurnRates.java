package io.penstock.engine.agent;

/**
 * How often the agents of one profile begin a turn, whose model has limits of its own.
 *
 * @param perMinute maximum number of turns; 0 for no limit
 * @param backgroundPerMinute the same for turns of agents that end with their turn, which then do not count for the first; 0 for no limit
 *     of their own
 */
public record TurnRates(int perMinute, int backgroundPerMinute) {

    public static final TurnRates NONE = new TurnRates(0, 0);

    public TurnRates {
        if (perMinute < 0 || backgroundPerMinute < 0) {
            throw new IllegalArgumentException("rates are 0 or more, not " + perMinute + " and " + backgroundPerMinute);
        }
    }
}
