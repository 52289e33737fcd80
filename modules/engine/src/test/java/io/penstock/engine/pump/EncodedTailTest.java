package io.penstock.engine.pump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.penstock.frames.Limits;
import org.junit.jupiter.api.Test;

class EncodedTailTest {

    private static final byte[] JSON = {'{', '}'};

    private final EncodedTails tails = new EncodedTails();

    @Test
    void whatOneViewerMadeAnotherIsGiven() {
        EncodedTail tail = tails.join("t");
        tail.keep(1, JSON);
        assertNull(tail.find(1), "nobody else is there to share it with");
        assertSame(tail, tails.join("t"));
        tail.keep(1, JSON);
        assertSame(JSON, tail.find(1));
        assertNull(tail.find(0));
        assertNull(tail.find(1 + Limits.ENCODED_FRAMES), "another frame in the same place is not this one");
    }

    @Test
    void itHoldsSoManyAndNoLargeOnes() {
        EncodedTail tail = tails.join("t");
        tails.join("t");
        tail.keep(3, new byte[Limits.ENCODED_FRAME_BYTES + 1]);
        assertNull(tail.find(3));
        tail.keep(3, JSON);
        tail.keep(3 + Limits.ENCODED_FRAMES, JSON);
        assertNull(tail.find(3), "it made room for a newer one");
    }

    @Test
    void itGoesWithItsLastViewer() {
        EncodedTail tail = tails.join("t");
        tails.join("t");
        tails.leave("t");
        assertSame(tail, tails.join("t"));
        tails.leave("t");
        tails.leave("t");
        assertEquals(0, tails.size());
        assertNotSame(tail, tails.join("t"));
    }
}
