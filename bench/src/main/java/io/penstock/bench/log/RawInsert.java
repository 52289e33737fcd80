package io.penstock.bench.log;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.StoredForm;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference: the same rows into a table of the same structure, by the fastest plain statement, from memory. It has
 * no journal, no order between streams, and no listeners.
 */
final class RawInsert implements AutoCloseable {

    private static final String INSERT = "INSERT INTO frame (stream_no, seq, at_ms, type, body)"
            + " SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bytea[])";

    private final Vertx vertx;
    private final Database database;
    private final int day;
    private final int groupRows;

    private RawInsert(Vertx vertx, Database database, int day, int groupRows) {
        this.vertx = vertx;
        this.database = database;
        this.day = day;
        this.groupRows = groupRows;
    }

    static RawInsert open(Vertx vertx, PgConnectOptions postgres, int groupRows) {
        int day = (int) (System.currentTimeMillis() / 86_400_000L);
        Database database = await(Database.open(vertx, postgres, "reference", 1));
        await(Partitions.ensureFrameDay(database.pool(), day));
        return new RawInsert(vertx, database, day, groupRows);
    }

    List<Tuple> prepare(FrameLoad load) {
        var groups = new ArrayList<Tuple>();
        var next = new long[load.streams()];
        var out = new ByteWriter();
        long firstStream = Partitions.firstStreamNo(day);
        long now = System.currentTimeMillis();
        for (int from = 0; from < load.frames(); from += groupRows) {
            int rows = Math.min(groupRows, load.frames() - from);
            var streamNo = new Long[rows];
            var seq = new Long[rows];
            var at = new Long[rows];
            var type = new Short[rows];
            var body = new Buffer[rows];
            for (int i = 0; i < rows; i++) {
                int stream = load.streamOf()[from + i];
                streamNo[i] = firstStream + stream;
                seq[i] = next[stream]++;
                at[i] = now;
                type[i] = (short) load.bodies()[from + i].type().code();
                out.clear();
                StoredForm.write(load.bodies()[from + i], out);
                body[i] = Buffer.buffer(out.toByteArray());
            }
            groups.add(Tuple.tuple()
                    .addArrayOfLong(streamNo)
                    .addArrayOfLong(seq)
                    .addArrayOfLong(at)
                    .addArrayOfShort(type)
                    .addArrayOfBuffer(body));
        }
        return groups;
    }

    /** Pipelines this many statements on one connection. */
    RunResult run(FrameLoad load, List<Tuple> groups, int depth) {
        LedgerTables.empty(database.pool());
        PgConnection connection = await(database.connect(depth));
        PreparedQuery<RowSet<Row>> insert = connection.preparedQuery(INSERT);
        Promise<Void> done = Promise.promise();
        ServerTime server = ServerTime.of(connection);
        long begin = System.nanoTime();
        vertx.runOnContext(v -> {
            var left = new Left(insert, groups, done);
            for (int i = 0; i < depth; i++) {
                left.sendNext();
            }
        });
        await(done.future());
        double seconds = (System.nanoTime() - begin) / 1e9;
        double serverMicros = server.microsPer(load.frames());
        await(connection.close());
        LedgerTables.mustHold(database.pool(), load.frames());
        return new RunResult(load.frames() / seconds, serverMicros);
    }

    @Override
    public void close() {
        await(database.close());
    }

    private static final class Left {
        private final PreparedQuery<RowSet<Row>> insert;
        private final List<Tuple> groups;
        private final Promise<Void> done;
        private int sent;
        private int answered;

        Left(PreparedQuery<RowSet<Row>> insert, List<Tuple> groups, Promise<Void> done) {
            this.insert = insert;
            this.groups = groups;
            this.done = done;
        }

        void sendNext() {
            if (sent == groups.size()) {
                return;
            }
            insert.execute(groups.get(sent++)).onComplete(result -> {
                answered++;
                if (result.failed()) {
                    done.tryFail(result.cause());
                } else if (answered == groups.size()) {
                    done.tryComplete();
                } else {
                    sendNext();
                }
            });
        }
    }
}
