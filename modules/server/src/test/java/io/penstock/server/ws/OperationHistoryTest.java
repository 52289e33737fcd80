package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Failure;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An operation runs once or is refused, however often and however late it is repeated. */
class OperationHistoryTest {

    private final OperationHistory history = new OperationHistory();
    private final List<Long> done = new ArrayList<>();

    private Future<Long> typed(long op) {
        return history.once("task", "me", op, () -> {
                    done.add(op);
                    return Future.succeededFuture(op);
                })
                .map(seq -> seq);
    }

    private Future<Long> refused(long op) {
        return history.once("task", "me", op, () -> Future.failedFuture("no room"))
                .map(seq -> seq);
    }

    @Test
    void forgottenOperationsAreNotRepeatedAlsoAfterARefusal() {
        for (long op = 1; op <= 300; op++) {
            typed(op);
        }
        assertTrue(refused(301).failed());
        assertThrows(Failure.class, () -> typed(10));
        assertEquals(300, done.size());
        assertEquals(301, typed(301).result());
        assertEquals(46, typed(46).result());
        assertEquals(301, done.size());
    }

    @Test
    void oldRefusedOperationsMayBeTriedAgain() {
        assertTrue(refused(1).failed());
        for (long op = 2; op <= 100; op++) {
            typed(op);
        }
        assertEquals(1, typed(1).result());
    }
}
