package io.penstock.engine.log;

import io.penstock.frames.Frame;
import java.util.List;

/**
 * Some frames of a stream, one after the other.
 *
 * @param nextSeq where to read on
 */
public record Page(List<Frame> frames, long nextSeq) {

    public Page {
        frames = List.copyOf(frames);
    }
}
