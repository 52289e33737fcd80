package io.penstock.engine.log.postgres;

import static io.penstock.testbed.Await.await;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;

/** Prints rows per second of a drain's statement next to a plain insert of the same rows: run its main method. */
final class AppendGroupFigures {

    private static final int DAY = 20_000;
    private static final int STREAMS = 64;
    private static final int ROUNDS = 11;
    private static final int WARM_UP = 3;
    private static final String RAW = "INSERT INTO frame (stream_no, seq, at_ms, type, body)"
            + " SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bytea[])";
    /** The bodies of a group in one value, split by the server. */
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
    private long drained;
    private final int nodeNo;
    private long firstStream = Partitions.firstStreamNo(DAY);

    private AppendGroupFigures(PgConnection connection, int nodeNo) {
        this.connection = connection;
        this.nodeNo = nodeNo;
    }

    public static void main(String[] args) throws Exception {
        int rows = args.length > 0 ? Integer.parseInt(args[0]) : 40_000;
        Vertx vertx = Vertx.vertx();
        Database database = TestDatabase.open(vertx);
        await(Partitions.ensureFrameDay(database.pool(), DAY));
        for (int depth : new int[] {1, 2}) {
            PgConnection connection = await(database.connect(depth));
            int nodeNo = await(
                            connection.preparedQuery(Sql.named("claim_node")).execute(Tuple.of(UUID.randomUUID(), 0L)))
                    .iterator()
                    .next()
                    .getInteger("node_no");
            var figures = new AppendGroupFigures(connection, nodeNo);
            figures.firstStream += depth * 1_000_000L;
            for (int size : new int[] {250, 500, 1000, 2000, 4000}) {
                figures.compare(size, depth, rows);
                await(connection.query("TRUNCATE frame").execute());
            }
            await(connection.close());
        }
        await(database.close());
        await(vertx.close());
    }

    /** The ways take turns, so that other load affects all of them; the first rounds warm up. */
    private void compare(int size, int depth, int rows) {
        double[][] found = new double[Way.values().length][ROUNDS];
        long[] ticks = new long[Way.values().length];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            for (Way way : Way.values()) {
                long before = serverTicks();
                double rate = measure(way, size, depth, rows);
                if (round >= 0) {
                    ticks[way.ordinal()] += serverTicks() - before;
                    found[way.ordinal()][round] = rate;
                }
            }
        }
        var line = new StringBuilder(
                String.format("depth %d, groups of %4d, k rows/s median (best), server CPU per row:", depth, size));
        for (Way way : Way.values()) {
            double[] rates = found[way.ordinal()];
            Arrays.sort(rates);
            line.append(String.format(
                    "  %s %3.0f (%3.0f) %.2f us",
                    way,
                    rates[ROUNDS / 2] / 1000,
                    rates[ROUNDS - 1] / 1000,
                    ticks[way.ordinal()] * 10_000.0 / ROUNDS / rows));
        }
        double ratio = found[Way.GROUP.ordinal()][ROUNDS / 2] / found[Way.RAW.ordinal()][ROUNDS / 2];
        System.out.println(line.append(String.format("  group/raw %.2f", ratio)));
    }

    /**
     * Processor time of the process that serves this connection, in hundredths of a second: other load hardly changes
     * it.
     */
    private long serverTicks() {
        int pid = await(connection.query("SELECT pg_backend_pid()").execute())
                .iterator()
                .next()
                .getInteger(0);
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double measure(Way way, int size, int depth, int rows) {
        firstStream += STREAMS;
        Arrays.fill(next, 0);
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
        // On the connection's own thread from the start: only then do statements run in the order of the calls.
        connection.query("SELECT 1").execute().onSuccess(ready -> {
            for (int i = 0; i < depth; i++) {
                step(query, way, size, left, flying, done);
            }
        });
        await(done.future());
        return rows / ((System.nanoTime() - begin) / 1e9);
    }

    private void step(
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
            flying[0]--;
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
                long before = drained;
                Tuple empty = new Group().at(nodeNo, 1, before, before + size);
                drained += size;
                var all = Tuple.tuple();
                for (int i = 0; i < empty.size(); i++) {
                    all.addValue(i >= 7 && i < 11 ? frames.getValue(i - 7) : i == 11 ? body : empty.getValue(i));
                }
                yield all;
            }
        };
    }
}
