package io.penstock.server.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

final class BytesInFlightTest {

    private int rooms;
    private final BytesInFlight underWay = new BytesInFlight(() -> rooms++);

    @Test
    void aFewLargeMessagesFillIt() {
        Promise<Void> first = Promise.promise();
        Promise<Void> second = Promise.promise();
        underWay.add(40_000, first.future());
        assertFalse(underWay.isFull());
        underWay.add(40_000, second.future());
        assertTrue(underWay.isFull());
        first.complete();
        assertFalse(underWay.isFull());
        second.complete();
        assertEquals(1, rooms);
    }

    @Test
    void whatIsTakenAtOnceIsNotUnderWay() {
        underWay.add(1_000_000, Future.succeededFuture());
        assertFalse(underWay.isFull());
    }

    @Test
    void aLostConnectionHasNoRoom() {
        underWay.add(100_000, Future.failedFuture("closed"));
        assertEquals(0, rooms);
    }
}
