package io.penstock.server.ws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.ws.wire.WsLimits;
import org.junit.jupiter.api.Test;

class AckWindowTest {

    private final AckWindow window = new AckWindow();

    @Test
    void windowIsNeverFullWithoutAcknowledgements() {
        window.sent(1, 100 * WsLimits.UNACKNOWLEDGED_BYTES);
        assertFalse(window.isFull());
    }

    @Test
    void windowIsFullAtItsLimitUntilOutputIsAcknowledged() {
        window.parsed(0);
        window.sent(1, WsLimits.UNACKNOWLEDGED_BYTES - 1);
        assertFalse(window.isFull());
        window.sent(2, 1);
        assertTrue(window.isFull());
        window.parsed(1);
        assertFalse(window.isFull());
        window.sent(3, WsLimits.UNACKNOWLEDGED_BYTES);
        window.parsed(0);
        assertTrue(window.isFull());
        window.parsed(3);
        assertFalse(window.isFull());
    }

    /** As from a shell that is used for days while the viewer sleeps. */
    @Test
    void manySmallPiecesAreMerged() {
        window.parsed(0);
        int seq = 0;
        for (; !window.isFull(); seq++) {
            window.sent(seq + 1, 1);
            window.sent(seq + 1, 0);
        }
        assertEquals(WsLimits.UNACKNOWLEDGED_BYTES, seq);
        assertEquals(64, window.pieces());
        window.parsed(seq / 2);
        assertFalse(window.isFull());
        assertEquals(32, window.pieces());
        for (int i = 0; i < 1_000_000; i++) {
            window.sent(seq + i, 0);
        }
        assertEquals(32, window.pieces());
    }
}
