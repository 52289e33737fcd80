package io.penstock.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** The generator reaches every type of frame, or the laws would say nothing about the types that it leaves out. */
class RandomFramesTest {

    @Test
    void everyTypeHasItsRandomBodies() {
        Seeds.each(20, random -> {
            for (FrameType type : FrameType.values()) {
                assertEquals(type, random.body(type).type());
            }
        });
    }

    @Test
    void everyTypeOccursAmongRandomBodies() {
        var missing = EnumSet.allOf(FrameType.class);
        Seeds.each(400, random -> missing.remove(random.body().type()));
        assertEquals(EnumSet.noneOf(FrameType.class), missing);
    }

    @Test
    void everyTypeOfATaskOccursInLegalStreams() {
        var missing = EnumSet.allOf(FrameType.class);
        missing.removeIf(type -> new RandomFrames(1).body(type) instanceof SessionFrame);
        Seeds.each(100, random -> {
            for (Frame frame : random.stream(40)) {
                missing.remove(frame.body().type());
            }
        });
        assertEquals(EnumSet.noneOf(FrameType.class), missing);
    }
}
