package io.penstock.engine.log.postgres;

import static io.penstock.engine.log.postgres.TestDatabase.failure;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AppendGroupTest {

    private static final int DAY = 20_775;
    private static final long STREAM = Partitions.firstStreamNo(DAY) + 5;

    private final Vertx vertx = Vertx.vertx();
    private final UUID nodeId = UUID.randomUUID();
    private final Database database = TestDatabase.open(vertx);
    private final PgConnection connection = await(database.connect(4));
    private int nodeNo;

    @BeforeEach
    void claimTheNode() {
        await(Partitions.ensureFrameDay(connection, DAY));
        await(Partitions.ensureIdempotencyDay(connection, DAY));
        nodeNo = claim().getInteger("node_no");
    }

    @AfterEach
    void close() {
        await(connection.close());
        await(database.close());
        await(vertx.close());
    }

    @Test
    void writesAGroupOnce() {
        Tuple group = new Group()
                .stream(STREAM).frame(STREAM, 0, "a").frame(STREAM, 1, "b").at(nodeNo, 1, 0, 10);
        assertEquals(1, append(group));
        assertEquals(0, append(group));
        assertEquals(List.of("a", "b"), bodies(0, 9, 10));
    }

    @Test
    void aReadIsAPageInOrder() {
        append(new Group()
                .frame(STREAM, 2, "c")
                .frame(STREAM, 0, "a")
                .frame(STREAM, 1, "b")
                .at(nodeNo, 1, 0, 10));
        assertEquals(List.of("b", "c"), bodies(1, 2, 10));
        assertEquals(List.of("a", "b"), bodies(0, 9, 2));
        assertEquals(List.of(), bodies(3, 9, 2));
    }

    @Test
    void anEarlierEpochWritesNothing() {
        assertEquals(2, claim().getLong("epoch"));
        assertEquals(
                0,
                append(new Group()
                        .stream(STREAM)
                                .frame(STREAM, 0, "late")
                                .answer(DAY, "k", null)
                                .at(nodeNo, 1, 0, 10)));
        assertEquals(0, count("stream") + count("frame") + count("idempotency"));
        assertEquals(1, append(new Group().frame(STREAM, 0, "right").at(nodeNo, 2, 0, 10)));
    }

    @Test
    void drainContinuesWhereTheLastOneEnded() {
        append(new Group().frame(STREAM, 0, "a").at(nodeNo, 1, 0, 10));
        assertEquals(10, claim().getLong("drained"));
    }

    @Test
    void anUnknownNodeBeginsAtItsJournalsFirstPosition() {
        Row row = one("claim_node", Tuple.of(UUID.randomUUID(), 77L));
        assertEquals(1, row.getLong("epoch"));
        assertEquals(77, row.getLong("drained"));
    }

    @Test
    void twoRowsOfOneSeqFailTheWholeGroup() {
        append(new Group().frame(STREAM, 0, "a").at(nodeNo, 1, 0, 10));
        Tuple second = new Group()
                .stream(STREAM).frame(STREAM, 1, "b").frame(STREAM, 0, "x").at(nodeNo, 1, 10, 20);
        var said = (PgException) failure(query(second));
        assertEquals("23505", said.getSqlState());
        assertEquals(List.of("a"), bodies(0, 9, 10));
        assertEquals(0, count("stream"));
        assertEquals(10, claim().getLong("drained"));
    }

    @Test
    void aGroupBehindOneThatFailedIsNotWritten() {
        append(new Group().frame(STREAM, 0, "a").at(nodeNo, 1, 0, 10));
        Future<RowSet<Row>> bad = query(new Group().frame(STREAM, 0, "x").at(nodeNo, 1, 10, 20));
        Future<RowSet<Row>> next = query(new Group().frame(STREAM, 5, "b").at(nodeNo, 1, 20, 30));
        assertTrue(failure(bad) instanceof PgException);
        assertEquals(0, await(next).iterator().next().getInteger("written"));
        assertEquals(List.of("a"), bodies(0, 9, 10));
    }

    @Test
    void pipelinedGroupsAreWrittenInOrder() {
        var first = query(new Group().frame(STREAM, 0, "a").at(nodeNo, 1, 0, 10));
        var second = query(new Group().frame(STREAM, 1, "b").at(nodeNo, 1, 10, 20));
        assertEquals(1, await(first).iterator().next().getInteger("written"));
        assertEquals(1, await(second).iterator().next().getInteger("written"));
    }

    @Test
    void aStreamIsFoundWithItsNextSeq() {
        append(new Group()
                .stream(STREAM).frame(STREAM, 0, "a").frame(STREAM, 1, "b").at(nodeNo, 1, 0, 10));
        append(new Group().stream(STREAM + 1).at(nodeNo, 1, 10, 11));
        assertEquals(
                STREAM,
                one("find_stream", Tuple.of((short) 1, "task-" + STREAM)).getLong("stream_no"));
        assertEquals(2, one("next_seq", Tuple.of(STREAM)).getLong("next_seq"));
        assertEquals(
                0,
                await(connection.preparedQuery(Sql.named("next_seq")).execute(Tuple.of(STREAM + 1)))
                        .size());
        assertEquals(
                0,
                await(connection.preparedQuery(Sql.named("find_stream")).execute(Tuple.of((short) 2, "task-" + STREAM)))
                        .size());
    }

    @Test
    void aKeyIsClaimedAndThenAnswered() {
        append(new Group().answer(DAY, "k", null).at(nodeNo, 1, 0, 10));
        assertNull(one("find_idempotency", Tuple.of("someone", "k", DAY)).getBuffer("answer"));
        append(new Group().answer(DAY, "k", "done").at(nodeNo, 1, 10, 20));
        Row row = one("find_idempotency", Tuple.of("someone", "k", DAY - 1));
        assertEquals(Buffer.buffer("done"), row.getBuffer("answer"));
        assertEquals(Buffer.buffer("print"), row.getBuffer("fingerprint"));
        assertEquals(DAY, row.getInteger("day"));
        assertEquals(
                0,
                await(connection
                                .preparedQuery(Sql.named("find_idempotency"))
                                .execute(Tuple.of("someone", "k", DAY + 1)))
                        .size());
    }

    @Test
    void aKeyIsClaimedAndAnsweredInOneGroup() {
        append(new Group()
                .answer(DAY, "k", null)
                .answer(DAY, "other", null)
                .answer(DAY, "k", "done")
                .at(nodeNo, 1, 0, 10));
        assertEquals(
                Buffer.buffer("done"),
                one("find_idempotency", Tuple.of("someone", "k", DAY)).getBuffer("answer"));
        assertNull(one("find_idempotency", Tuple.of("someone", "other", DAY)).getBuffer("answer"));
    }

    @Test
    void aPageIsReadFromOnePartitionByItsKey() {
        await(Partitions.ensureFrameDay(connection, DAY + 1));
        String plan = await(connection
                        .preparedQuery("EXPLAIN (ANALYZE, COSTS off) " + Sql.named("read_frames"))
                        .execute(Tuple.of(STREAM, 0L, 10L, 5)))
                .stream()
                .map(row -> row.getString(0))
                .reduce("", (all, line) -> all + line + "\n");
        assertTrue(plan.contains("Index Scan using frame_d" + DAY), plan);
        assertTrue(!plan.contains("frame_d" + (DAY + 1)) && !plan.contains("Sort"), plan);
    }

    private Row claim() {
        return one("claim_node", Tuple.of(nodeId, 0L));
    }

    private Row one(String statement, Tuple values) {
        return await(connection.preparedQuery(Sql.named(statement)).execute(values))
                .iterator()
                .next();
    }

    private Future<RowSet<Row>> query(Tuple group) {
        return connection.preparedQuery(Sql.named("append_group")).execute(group);
    }

    private int append(Tuple group) {
        return await(query(group)).iterator().next().getInteger("written");
    }

    private long count(String table) {
        return await(connection.query("SELECT count(*) FROM " + table).execute())
                .iterator()
                .next()
                .getLong(0);
    }

    private List<String> bodies(long from, long to, int limit) {
        return await(connection.preparedQuery(Sql.named("read_frames")).execute(Tuple.of(STREAM, from, to, limit)))
                .stream()
                .map(row -> row.getBuffer("body").toString())
                .toList();
    }
}
