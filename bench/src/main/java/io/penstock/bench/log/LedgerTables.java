package io.penstock.bench.log;

import static io.penstock.bench.log.BenchPostgres.await;

import io.vertx.sqlclient.Pool;

/** Gives every run empty tables and a fresh checkpoint, and checks at its end that the frames are there. */
final class LedgerTables {

    private LedgerTables() {}

    static void empty(Pool pool) {
        await(pool.query("TRUNCATE frame, stream").execute());
        await(pool.query("CHECKPOINT").execute());
    }

    static void mustHold(Pool pool, long frames) {
        long there = await(pool.query("SELECT count(*) FROM frame").execute())
                .iterator()
                .next()
                .getLong(0);
        if (there != frames) {
            throw new IllegalStateException("Postgres has " + there + " frames of " + frames);
        }
    }
}
