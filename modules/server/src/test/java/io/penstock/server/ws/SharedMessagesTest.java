package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SharedMessagesTest {

    private static final int ROOM = 10_000;

    private final SharedMessages all = new SharedMessages(ROOM);

    private static Future<List<Buffer>> made(int bytes) {
        return Future.succeededFuture(List.of(Buffer.buffer(new byte[bytes])));
    }

    @Test
    void whatOneMadeOthersOfItsTaskAndLanguageAreGivenAlsoWhileItIsMade() {
        var one = all.join("t", Subprotocol.BINARY);
        one.keep(1, 2, made(10));
        assertNull(one.find(1, 2), "nobody else is there to share it with");
        var other = all.join("t", Subprotocol.BINARY);
        Promise<List<Buffer>> making = Promise.promise();
        one.keep(1, 2, making.future());
        assertSame(making.future(), other.find(1, 2));
        assertNull(other.find(1, 3));
        assertNull(all.join("t", Subprotocol.RAW).find(1, 2));
        making.fail("no disk");
        assertNull(other.find(1, 2), "the next one may have more luck");
        assertEquals(0, all.bytes());
    }

    @Test
    void itHoldsSoManyBytesAndNothingOfThoseWhoHaveGone() {
        var one = all.join("t", Subprotocol.BINARY);
        var other = all.join("t", Subprotocol.BINARY);
        for (int i = 0; i < 100; i++) {
            one.keep(i, i, made(1_000));
            other.keep(i, i, made(1_000));
            assertTrue(all.bytes() <= ROOM);
        }
        assertNull(other.find(0, 0));
        assertEquals(1, Objects.requireNonNull(other.find(99, 99)).result().size());
        one.close();
        other.close();
        assertEquals(0, all.bytes());
    }
}
