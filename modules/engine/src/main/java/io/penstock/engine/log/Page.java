package io.penstock.engine.log;

import io.penstock.frames.Frame;
import java.util.List;

/**
 * Consecutive frames of a stream.
 *
 * @param nextSeq where the next read starts
 */
public record Page(List<Frame> frames, long nextSeq) {

    public Page {
        frames = List.copyOf(frames);
    }
}
