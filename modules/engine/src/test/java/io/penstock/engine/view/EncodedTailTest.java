package io.penstock.engine.view;

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
    void viewersShareEncodedFrames() {
        EncodedTail tail = tails.join("t", InlineText.PREVIEW);
        tail.put(1, JSON);
        assertNull(tail.find(1), "there is no other viewer to share it with");
        assertSame(tail, tails.join("t", InlineText.PREVIEW));
        tail.put(1, JSON);
        assertSame(JSON, tail.find(1));
        assertNull(tail.find(0));
        assertNull(tail.find(1 + Limits.ENCODED_FRAMES), "the slot has another frame");
    }

    @Test
    void sizeIsBoundedAndLargeFramesAreNotKept() {
        EncodedTail tail = tails.join("t", InlineText.PREVIEW);
        tails.join("t", InlineText.PREVIEW);
        tail.put(3, new byte[Limits.ENCODED_LARGE_FRAME_BYTES + 1]);
        assertNull(tail.find(3));
        byte[] large = new byte[Limits.ENCODED_LARGE_FRAME_BYTES];
        tail.put(4, large);
        assertSame(large, tail.find(4));
        tail.put(4 + Limits.ENCODED_LARGE_FRAMES, large);
        assertNull(tail.find(4), "a newer frame has replaced it");
        tail.put(3, JSON);
        tail.put(3 + Limits.ENCODED_FRAMES, JSON);
        assertNull(tail.find(3), "a newer frame has replaced it");
    }

    @Test
    void viewersWithDifferentTextShareNothing() {
        EncodedTail tail = tails.join("t", InlineText.PREVIEW);
        assertNotSame(tail, tails.join("t", InlineText.FULL));
    }

    @Test
    void tailIsRemovedWithItsLastViewer() {
        EncodedTail tail = tails.join("t", InlineText.PREVIEW);
        tails.join("t", InlineText.PREVIEW);
        tails.release("t", InlineText.PREVIEW);
        assertSame(tail, tails.join("t", InlineText.PREVIEW));
        tails.release("t", InlineText.PREVIEW);
        tails.release("t", InlineText.PREVIEW);
        assertEquals(0, tails.size());
        assertNotSame(tail, tails.join("t", InlineText.PREVIEW));
    }
}
