package io.penstock.engine.pump;

import io.penstock.frames.Frame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of policy among some frames of a task.
 *
 * @param verdicts the frames of verdicts, and the status of a spawn that was denied at once
 * @param nextSeq where to continue the search; null after the last frame
 */
public record VerdictPage(List<Frame> verdicts, @Nullable Long nextSeq) {

    public VerdictPage {
        verdicts = List.copyOf(verdicts);
    }
}
