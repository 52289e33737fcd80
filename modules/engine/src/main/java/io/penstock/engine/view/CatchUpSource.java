package io.penstock.engine.view;

import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Supplies a session that lets a viewer skip output. Its futures may complete on any thread. */
public interface CatchUpSource {

    /** The task's current state. */
    Future<TaskState> state();

    /** The current screen. */
    Future<RenderedScreen> screen();

    /** The bytes of output stored by now, as far as that is known in memory; otherwise -1. */
    long written();

    /** The frames of this range, both ends included, that are not output; null if only the log has them. */
    @Nullable
    List<Frame> nonOutputFrames(long fromSeq, long lastSeq);
}
