package io.penstock.bench.soak.log;

import io.penstock.bench.soak.CannotRun;
import io.penstock.bench.soak.SoakFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;

/** Runs the scenarios and reports for each what was done to the log, and the result. */
public final class LogSoak {

    /** The result of a scenario; {@code NotRun} says why it could not run here. */
    public sealed interface Outcome {
        record Held(int kills, long accepted, int streams, long frames, long millis) implements Outcome {}

        record NotRun(String why) implements Outcome {}
    }

    private final PrintStream out;

    public LogSoak(PrintStream out) {
        this.out = out;
    }

    /** Throws if the log broke a promise, after printing how to repeat the run. */
    public Outcome run(SoakScenario named, int rounds, long seed) {
        long begin = System.nanoTime();
        SoakSetup ground = null;
        int round = 0;
        String name = named.name().toLowerCase(Locale.ROOT);
        try {
            ground = new SoakSetup(seed);
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
                    "soak log %s: %d kills, %d frames reported as accepted; all%s are there, once and in order, among %d"
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
            throw failure(name, seed, round, rounds, ground, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(name, seed, round, rounds, ground, e);
        }
    }

    private SoakFailure failure(
            String name,
            long seed,
            int round,
            int rounds,
            @org.jspecify.annotations.Nullable SoakSetup ground,
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
