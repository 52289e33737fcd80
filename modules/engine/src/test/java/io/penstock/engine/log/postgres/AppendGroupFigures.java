package io.penstock.engine.log.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Prints rows per second of a drain's statement beside the plain insert of the same rows: run its main. */
final class AppendGroupFigures {

    private static final int DAY = 20_000;
    private static final int STREAMS = 64;
    private static final String RAW = "INSERT INTO frame (stream_no, seq, at_ms, type, body)"
            + " SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bytea[])";
    /** The bodies of a group in one value, cut apart by the server. */
    private static final String PACKED = "INSERT INTO frame (stream_no, seq, at_ms, type, body)"
            + " SELECT a, b, c, d, substring($5::bytea FROM e FOR f)"
            + " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $6::int[], $7::int[])"
            + " AS given (a, b, c, d, e, f)";

    private enum Way {
        RAW,
        PACKED,
        GROUP
    }

    private final PgConnection connection;
    private final long[] next = new long[STREAMS];
    private final Random random = new Random(7);
    private final AtomicLong drained = new AtomicLong();
    private final int nodeNo;
    private long firstStream = Partitions.firstStreamNo(DAY);

    private AppendGroupFigures(PgConnection connection, int nodeNo) {
        this.connection = connection;
        this.nodeNo = nodeNo;
    }

    public static void main(String[] args) throws Exception {
        int rows = args.length > 0 ? Integer.parseInt(args[0]) : 300_000;
        Vertx vertx = Vertx.vertx();
        Database database = TestDatabase.open(vertx);
        TestDatabase.await(Partitions.ensureFrameDay(database.pool(), DAY));
        for (int depth : new int[] {1, 2, 4}) {
            PgConnection connection = TestDatabase.await(database.connect(depth));
            int nodeNo = TestDatabase.await(
                            connection.preparedQuery(Sql.named("claim_node")).execute(Tuple.of(UUID.randomUUID(), 0L)))
                    .iterator()
                    .next()
                    .getInteger("node_no");
            var figures = new AppendGroupFigures(connection, nodeNo);
            figures.firstStream += depth * 1_000_000L;
            for (int round = 0; round < 3; round++) {
                for (int size : new int[] {250, 500, 1000, 2000, 4000}) {
                    double raw = figures.measure(Way.RAW, size, depth, rows);
                    double packed = figures.measure(Way.PACKED, size, depth, rows);
                    double group = figures.measure(Way.GROUP, size, depth, rows);
                    System.out.printf(
                            "round %d depth %d size %5d: raw %7.0f  packed %7.0f  group %7.0f rows/s, group/raw %.2f%n",
                            round, depth, size, raw, packed, group, group / raw);
                }
            }
            TestDatabase.await(connection.close());
        }
        TestDatabase.await(database.close());
        TestDatabase.await(vertx.close());
    }

    private double measure(Way way, int size, int depth, int rows) {
        firstStream += STREAMS;
        java.util.Arrays.fill(next, 0);
        long begin = System.nanoTime();
        Promise<Void> done = Promise.promise();
        int[] left = {rows / size};
        int[] flying = {0};
        PreparedQuery<RowSet<Row>> query = connection.preparedQuery(
                switch (way) {
                    case RAW -> RAW;
                    case PACKED -> PACKED;
                    case GROUP -> Sql.named("append_group");
                });
        for (int i = 0; i < depth; i++) {
            step(query, way, size, left, flying, done);
        }
        TestDatabase.await(done.future());
        return rows / ((System.nanoTime() - begin) / 1e9);
    }

    private synchronized void step(
            PreparedQuery<RowSet<Row>> query, Way way, int size, int[] left, int[] flying, Promise<Void> done) {
        if (left[0] == 0) {
            if (flying[0] == 0) {
                done.tryComplete();
            }
            return;
        }
        left[0]--;
        flying[0]++;
        Future<RowSet<Row>> answer = query.execute(tuple(way, size));
        answer.onComplete(result -> {
            synchronized (this) {
                flying[0]--;
            }
            if (result.failed()) {
                done.tryFail(result.cause());
            } else if (way == Way.GROUP && result.result().iterator().next().getInteger(0) != 1) {
                done.tryFail("not written");
            } else {
                step(query, way, size, left, flying, done);
            }
        });
    }

    private Tuple tuple(Way way, int size) {
        Long[] stream = new Long[size];
        Long[] seq = new Long[size];
        Long[] at = new Long[size];
        Short[] type = new Short[size];
        Buffer[] body = new Buffer[size];
        for (int i = 0; i < size; i++) {
            int which = random.nextInt(STREAMS);
            stream[i] = firstStream + which;
            seq[i] = next[which]++;
            at[i] = System.currentTimeMillis();
            type[i] = (short) 2;
            body[i] = Buffer.buffer(new byte[60 + random.nextInt(140)]);
        }
        Tuple frames = Tuple.tuple()
                .addArrayOfLong(stream)
                .addArrayOfLong(seq)
                .addArrayOfLong(at)
                .addArrayOfShort(type);
        return switch (way) {
            case RAW -> frames.addArrayOfBuffer(body);
            case PACKED -> {
                Buffer all = Buffer.buffer();
                Integer[] from = new Integer[size];
                Integer[] length = new Integer[size];
                for (int i = 0; i < size; i++) {
                    from[i] = all.length() + 1;
                    length[i] = body[i].length();
                    all.appendBuffer(body[i]);
                }
                yield frames.addBuffer(all).addArrayOfInteger(from).addArrayOfInteger(length);
            }
            case GROUP -> {
                long before = drained.getAndAdd(size);
                Tuple empty = new Group().at(nodeNo, 1, before, before + size);
                var all = Tuple.tuple();
                for (int i = 0; i < empty.size(); i++) {
                    all.addValue(i >= 7 && i < 11 ? frames.getValue(i - 7) : i == 11 ? body : empty.getValue(i));
                }
                yield all;
            }
        };
    }
}
