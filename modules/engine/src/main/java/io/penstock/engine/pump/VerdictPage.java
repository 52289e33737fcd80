package io.penstock.engine.pump;

import io.penstock.frames.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What policy said about a task, among some of its frames.
 *
 * @param verdicts the frames that tell of it: verdicts, and the status of a spawn that was denied at once
 * @param nextSeq from where there may be more; null if there is no more for now
 */
public record VerdictPage(List<Frame> verdicts, @Nullable Long nextSeq) {

    public VerdictPage {
        verdicts = List.copyOf(verdicts);
    }
}
