package io.penstock.engine.log.postgres;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.testbed.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionsTest {

    private static final int DAY = 20_775;

    private final Vertx vertx = Vertx.vertx();
    private final Database database = TestDatabase.open(vertx);

    @AfterEach
    void close() {
        await(database.close());
        await(vertx.close());
    }

    @Test
    void aDayIsMadeOnceHoweverManyAsk() {
        var asked = new ArrayList<Future<Void>>();
        for (int i = 0; i < 12; i++) {
            asked.add(Partitions.ensureFrameDay(database.pool(), DAY + i % 2));
            asked.add(Partitions.ensureIdempotencyDay(database.pool(), DAY));
        }
        asked.forEach(Await::await);
        assertEquals(List.of(DAY, DAY + 1), await(Partitions.days(database.pool(), "frame")));
        assertEquals(List.of(DAY), await(Partitions.days(database.pool(), "idempotency")));
    }

    @Test
    void dayIsCreatedWhileAnotherSessionInserts() {
        await(Partitions.ensureFrameDay(database.pool(), DAY));
        PgConnection inserting = await(database.connect(1));
        var transaction = await(inserting.begin());
        await(inserting.query(insert(DAY)).execute());
        await(Partitions.ensureFrameDay(database.pool(), DAY + 1));
        await(inserting.query(insert(DAY + 1)).execute());
        await(transaction.commit());
        await(inserting.close());
    }

    @Test
    void keysAreForgottenByDay() {
        await(Partitions.ensureIdempotencyDay(database.pool(), DAY));
        await(Partitions.ensureIdempotencyDay(database.pool(), DAY + 1));
        assertEquals(List.of(DAY), Partitions.dropIdempotencyBefore(database.pool(), DAY + 1));
    }

    @Test
    void invalidDayIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Partitions.ensureFrameDay(database.pool(), -1));
    }

    private static String insert(int day) {
        return "INSERT INTO frame VALUES (" + Partitions.firstStreamNo(day) + ", 0, 0, 0, '')";
    }
}
