package io.penstock.bench.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code ./penstock soak log}: runs the scenarios and says for each what was done to the log, and what was found after. */
public final class LogSoak {

    /** What is done to the log; {@code NOT_RUN} says why it could not be done here. */
    public sealed interface Outcome {
        record Held(int kills, long told, int streams, long frames, long millis) implements Outcome {}

        record NotRun(String why) implements Outcome {}
    }

    private final PrintStream out;

    public LogSoak(PrintStream out) {
        this.out = out;
    }

    /** Runs what the words of a command line ask for. */
    public static int main(List<String> words) {
        SoakOptions options;
        try {
            options = SoakOptions.of(words);
        } catch (IllegalArgumentException e) {
            System.err.println("penstock: " + e.getMessage());
            return 2;
        }
        return new LogSoak(System.out).run(options) ? 0 : 1;
    }

    private boolean run(SoakOptions options) {
        var failed = new ArrayList<SoakScenario>();
        for (SoakScenario scenario : options.scenarios()) {
            try {
                run(scenario, options.rounds(scenario), options.seed());
            } catch (SoakFailure e) {
                failed.add(scenario);
            }
        }
        return failed.isEmpty();
    }

    /** Throws when the log broke a promise, after saying how to do the same again. */
    public Outcome run(SoakScenario named, int rounds, long seed) {
        long begin = System.nanoTime();
        SoakGround ground = null;
        int round = 0;
        String name = named.name().toLowerCase(Locale.ROOT);
        try {
            ground = new SoakGround(seed);
            Scenario scenario;
            try {
                scenario = named.on(ground);
            } catch (CannotRun e) {
                out.printf("soak log %s: NOT RUN, %s%n", name, e.getMessage());
                ground.delete();
                return new Outcome.NotRun(String.valueOf(e.getMessage()));
            }
            out.printf("soak log %s: %s, %d rounds, seed %d%n", name, scenario.story(), rounds, seed);
            try {
                ground.warmUp();
                for (round = 1; round <= rounds; round++) {
                    scenario.round(ground);
                }
            } finally {
                scenario.end();
            }
            Verification.Findings findings = ground.checkAll();
            long millis = (System.nanoTime() - begin) / 1_000_000;
            out.printf(
                    "soak log %s: %d kills, %d frames told as accepted; all%s are there, once and in order, among %d"
                            + " frames in %d streams (%.1f s)%n",
                    name,
                    ground.kills(),
                    ground.book.frames(),
                    ground.cut() == 0
                            ? ""
                            : " but the " + ground.cut()
                                    + " that were cut with damaged journals, all of them undrained,",
                    findings.frames(),
                    findings.streams(),
                    millis / 1e3);
            var held = new Outcome.Held(
                    ground.kills(), ground.book.frames(), findings.streams(), findings.frames(), millis);
            ground.delete();
            return held;
        } catch (SoakFailure | IOException | io.penstock.engine.log.postgres.PostgresUnavailable e) {
            throw told(name, seed, round, rounds, ground, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw told(name, seed, round, rounds, ground, e);
        }
    }

    private SoakFailure told(
            String name,
            long seed,
            int round,
            int rounds,
            @org.jspecify.annotations.Nullable SoakGround ground,
            Exception e) {
        String message = "soak log " + name + ": FAILED in round " + round + " of seed " + seed + ": " + e.getMessage()
                + "\n  again: ./penstock soak log --scenario " + name + " --seed " + seed + " --rounds " + rounds
                + (ground == null ? "" : "\n  what is left: " + ground.folder);
        out.println(message);
        if (ground != null) {
            try {
                ground.close();
            } catch (SoakFailure alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
        }
        return new SoakFailure(message, e);
    }
}
