package io.penstock.bench.soak;

import java.util.List;
import java.util.Locale;

/**
 * What {@code ./penstock soak log} was asked for.
 *
 * @param asked rounds of each scenario, or 0 for as many as each has of itself
 */
record SoakOptions(List<SoakScenario> scenarios, int asked, long seed) {

    private static final String USAGE =
            "usage: ./penstock soak log [--rounds N] [--seed S] [--scenario kill|postgres|disk|truncate|all]";

    int rounds(SoakScenario scenario) {
        return asked > 0 ? asked : scenario.longRounds();
    }

    static SoakOptions of(List<String> words) {
        List<SoakScenario> scenarios = List.of(SoakScenario.values());
        int rounds = 0;
        long seed = System.nanoTime() & 0xFFFFFF;
        if (words.isEmpty() || !words.getFirst().equals("log")) {
            throw new IllegalArgumentException(
                    "what can be soaked is 'log', 'queue' and 'attach', not " + words + "; " + USAGE);
        }
        for (int i = 1; i < words.size(); i += 2) {
            String option = words.get(i);
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException(option + " needs a value; " + USAGE);
            }
            String value = words.get(i + 1);
            switch (option) {
                case "--rounds" -> rounds = (int) number(option, value, 1, 1_000_000);
                case "--seed" -> seed = number(option, value, Long.MIN_VALUE, Long.MAX_VALUE);
                case "--scenario" -> scenarios = scenarios(value);
                default -> throw new IllegalArgumentException("there is no option " + option + "; " + USAGE);
            }
        }
        return new SoakOptions(scenarios, rounds, seed);
    }

    private static List<SoakScenario> scenarios(String value) {
        if (value.equals("all")) {
            return List.of(SoakScenario.values());
        }
        for (SoakScenario scenario : SoakScenario.values()) {
            if (scenario.name().toLowerCase(Locale.ROOT).equals(value)) {
                return List.of(scenario);
            }
        }
        throw new IllegalArgumentException("there is no scenario " + value + "; " + USAGE);
    }

    private static long number(String option, String value, long least, long most) {
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, as a number out of range is.
        }
        throw new IllegalArgumentException(option + " is " + value + " and must be a number of at least " + least);
    }
}
