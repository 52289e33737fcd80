package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.view.InlineText;
import io.penstock.server.ws.wire.Subprotocol;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SharedMessagesTest {

    private static final int ROOM = 10_000;

    private final SharedMessages all = new SharedMessages(ROOM);

    private static Future<List<Buffer>> encoded(int bytes) {
        return Future.succeededFuture(List.of(Buffer.buffer(new byte[bytes])));
    }

    @Test
    void viewersOfOneTaskAndSubprotocolShareMessages() {
        var one = all.join("t", Subprotocol.BINARY, InlineText.PREVIEW);
        one.put(1, 2, encoded(10));
        assertNull(one.find(1, 2), "there is no other viewer to share it with");
        var other = all.join("t", Subprotocol.BINARY, InlineText.PREVIEW);
        Promise<List<Buffer>> encoding = Promise.promise();
        one.put(1, 2, encoding.future());
        assertSame(encoding.future(), other.find(1, 2));
        assertNull(other.find(1, 3));
        assertNull(all.join("t", Subprotocol.RAW, InlineText.PREVIEW).find(1, 2));
        encoding.fail("no disk");
        assertNull(other.find(1, 2), "a failed encoding is not shared");
        assertEquals(0, all.bytes());
    }

    @Test
    void bytesAreBoundedAndReleasedWithTheLastViewer() {
        var one = all.join("t", Subprotocol.BINARY, InlineText.PREVIEW);
        var other = all.join("t", Subprotocol.BINARY, InlineText.PREVIEW);
        for (int i = 0; i < 100; i++) {
            one.put(i, i, encoded(1_000));
            other.put(i, i, encoded(1_000));
            assertTrue(all.bytes() <= ROOM);
        }
        assertNull(other.find(0, 0));
        assertEquals(1, Objects.requireNonNull(other.find(99, 99)).result().size());
        one.close();
        other.close();
        assertEquals(0, all.bytes());
    }
}
