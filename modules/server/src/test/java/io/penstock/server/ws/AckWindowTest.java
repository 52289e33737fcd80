package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ws.wire.WsLimits;
import org.junit.jupiter.api.Test;

class AckWindowTest {

    private final AckWindow unparsed = new AckWindow();

    @Test
    void whoNeverSaysWhatItHasParsedIsHeldBackByNothing() {
        unparsed.sent(1, 100 * WsLimits.UNACKNOWLEDGED_BYTES);
        assertFalse(unparsed.isFull());
    }

    @Test
    void whoSaysItIsFullAtTheLimitUntilItHasParsed() {
        unparsed.parsed(0);
        unparsed.sent(1, WsLimits.UNACKNOWLEDGED_BYTES - 1);
        assertFalse(unparsed.isFull());
        unparsed.sent(2, 1);
        assertTrue(unparsed.isFull());
        unparsed.parsed(1);
        assertFalse(unparsed.isFull());
        unparsed.sent(3, WsLimits.UNACKNOWLEDGED_BYTES);
        unparsed.parsed(0);
        assertTrue(unparsed.isFull());
        unparsed.parsed(3);
        assertFalse(unparsed.isFull());
    }

    /** As of a shell at which somebody types, for days, while the viewer sleeps. */
    @Test
    void ofManySmallPiecesAndOfWhatIsNoOutputFewAreKept() {
        unparsed.parsed(0);
        int seq = 0;
        for (; !unparsed.isFull(); seq++) {
            unparsed.sent(seq + 1, 1);
            unparsed.sent(seq + 1, 0);
        }
        assertEquals(WsLimits.UNACKNOWLEDGED_BYTES, seq);
        assertEquals(64, unparsed.pieces());
        unparsed.parsed(seq / 2);
        assertFalse(unparsed.isFull());
        assertEquals(32, unparsed.pieces());
        for (int i = 0; i < 1_000_000; i++) {
            unparsed.sent(seq + i, 0);
        }
        assertEquals(32, unparsed.pieces());
    }
}
