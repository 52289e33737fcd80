package io.penstock.engine.pump;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.frames.DeltaText;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.LogRef;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Gives the frames of one task, in order, the text of their output. A character that two deltas share is shown with the one that
 * ends it.
 */
public final class DeltaReader {

    private final ArtifactStore artifacts;
    private @Nullable ToolTaskSpawned spec;

    DeltaReader(ArtifactStore artifacts) {
        this.artifacts = artifacts;
    }

    /** For one who begins in the middle: the first frame that others have seen. */
    public void spec(ToolTaskSpawned spec) {
        this.spec = spec;
    }

    public Frame withText(Frame frame) throws IOException {
        if (frame.body() instanceof ToolTaskSpawned spawned) {
            spec = spawned;
        }
        ToolTaskSpawned known = spec;
        if (known != null && frame.body() instanceof ToolTaskOutputDelta delta) {
            return new Frame(frame.stream(), frame.seq(), frame.timestampMs(), delta.with(text(delta, known)));
        }
        return frame;
    }

    private DeltaText text(ToolTaskOutputDelta delta, ToolTaskSpawned spec) throws IOException {
        LogRef log = spec.log(delta.channel());
        var text =
                artifacts.find(log.artifactId()).textEndingIn(delta.offset(), delta.bytes(), Limits.DELTA_INLINE_BYTES);
        return new DeltaText(text.text(), log);
    }
}
