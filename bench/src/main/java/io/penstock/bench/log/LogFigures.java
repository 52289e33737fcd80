package io.penstock.bench.log;

import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Prints frames per second into Postgres, compared to a plain insert of the same rows, and the latency of a frame. */
public final class LogFigures {

    /** As many rows as the drain puts into one group. */
    private static final int GROUP_ROWS = 1000;

    private static final int WARM_UP_ROUNDS = 2;

    private final Vertx vertx;
    private final BenchPostgres postgres;
    private final int frames;
    private final int rounds;

    private LogFigures(Vertx vertx, BenchPostgres postgres, int frames, int rounds) {
        this.vertx = vertx;
        this.postgres = postgres;
        this.frames = frames;
        this.rounds = rounds;
    }

    /** Runs all measurements. */
    public static void run(int frames, int rounds) throws IOException, PostgresUnavailable {
        Vertx vertx = Vertx.vertx();
        try (BenchPostgres postgres = BenchPostgres.start()) {
            var figures = new LogFigures(vertx, postgres, frames, rounds);
            System.out.println(Machine.now());
            figures.throughput();
            VisibleLatency.measure(vertx, postgres);
            System.out.println(Machine.now());
        } finally {
            BenchPostgres.await(vertx.close());
        }
    }

    private void throughput() {
        System.out.printf("""

                Into Postgres: median (least–most) of %d runs of %,d frames, the ways taking turns.
                raw       INSERT … SELECT FROM unnest of %d rows, prepared in memory, one statement after the other
                raw2      the same, two statements under way
                Penstock  one thread appends; from the first append until all frames are in Postgres, counted there

                bodies avg B streams way        thousand/s          of raw              of raw2             µs of Postgres a row
                """, rounds, frames, GROUP_ROWS);
        Path journal = postgres.folder("journal");
        try (RawInsert raw = RawInsert.open(vertx, postgres.connectOptions(), GROUP_ROWS);
                LedgerRun ledger = LedgerRun.open(vertx, postgres.connectOptions(), journal)) {
            for (int streams : new int[] {64, 1}) {
                compare(FrameLoad.mix(frames, streams), raw, ledger);
                compare(FrameLoad.large(frames, streams), raw, ledger);
            }
        }
    }

    /** The ways take turns, so that other load on the machine affects all of them. */
    private void compare(FrameLoad load, RawInsert raw, LedgerRun ledger) {
        List<Tuple> groups = raw.prepare(load);
        var alone = new RunResult[rounds];
        var twoDeep = new RunResult[rounds];
        var penstock = new RunResult[rounds];
        for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
            RunResult first = raw.run(load, groups, 1);
            RunResult second = raw.run(load, groups, 2);
            RunResult third = ledger.run(load);
            if (round >= 0) {
                alone[round] = first;
                twoDeep[round] = second;
                penstock[round] = third;
            }
        }
        line(load, "raw", alone, "", "");
        line(load, "raw2", twoDeep, "", "");
        line(load, "Penstock", penstock, ratio(penstock, alone), ratio(penstock, twoDeep));
    }

    /** The ratio of each run to the one next to it in time. */
    private static String ratio(RunResult[] runs, RunResult[] others) {
        var ratios = new double[runs.length];
        for (int i = 0; i < runs.length; i++) {
            ratios[i] = runs[i].framesPerSecond() / others[i].framesPerSecond();
        }
        return Spread.of(ratios).toString();
    }

    private static void line(FrameLoad load, String way, RunResult[] runs, String ofRaw, String ofRawTwoDeep) {
        double[] rates = Stream.of(runs).mapToDouble(RunResult::framesPerSecond).toArray();
        double[] micros = Stream.of(runs).mapToDouble(RunResult::serverMicros).toArray();
        System.out.printf(
                Locale.ROOT,
                "%-6s %5.0f %7d %-10s %-19s %-19s %-19s %s%n",
                load.name(),
                load.averageBytes(),
                load.streams(),
                way,
                Spread.of(rates).inThousands(),
                ofRaw,
                ofRawTwoDeep,
                Spread.of(micros));
    }
}
