package io.penstock.bench.log;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.Database;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Path;

/** Penstock itself: a ledger with its journal, appended to by one thread. */
final class LedgerRun implements AutoCloseable {

    private static final String SCHEMA = "penstock_run";

    private final Ledger ledger;
    private final Database database;
    private int streamsBegun;

    private LedgerRun(Ledger ledger, Database database) {
        this.ledger = ledger;
        this.database = database;
    }

    static LedgerRun open(Vertx vertx, PgConnectOptions postgres, Path journal) {
        Ledger ledger =
                await(Ledger.open(vertx, LedgerSettings.of(journal, postgres).withSchema(SCHEMA)));
        return new LedgerRun(ledger, await(Database.open(vertx, postgres, SCHEMA, 1)));
    }

    /** From the first append until Postgres has everything. */
    RunResult run(FrameLoad load) {
        LedgerTables.empty(database.pool());
        var writers = new StreamWriter[load.streams()];
        for (int i = 0; i < writers.length; i++) {
            writers[i] = await(ledger.frames().create(StreamId.task("bench-" + ++streamsBegun)));
        }
        await(ledger.drained());
        int frames = load.frames();
        long now = System.currentTimeMillis();
        ServerTime server = ServerTime.ofDrain(database.pool());
        long begin = System.nanoTime();
        for (int i = 0; i < frames; i++) {
            Future<Frame> accepted = writers[load.streamOf()[i]].append(now, load.bodies()[i]);
            if (!accepted.succeeded()) {
                await(accepted);
            }
        }
        await(ledger.drained());
        double seconds = (System.nanoTime() - begin) / 1e9;
        double serverMicros = server.microsPer(frames);
        for (StreamWriter writer : writers) {
            writer.close();
        }
        LedgerTables.mustHold(database.pool(), frames);
        return new RunResult(frames / seconds, serverMicros);
    }

    @Override
    public void close() {
        await(ledger.close());
        await(database.close());
    }
}
