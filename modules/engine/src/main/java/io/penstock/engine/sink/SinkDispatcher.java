package io.penstock.engine.sink;

import io.penstock.engine.log.FrameListener;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;
import java.util.List;

/** Hears the frames of all tasks for the sinks. */
public final class SinkDispatcher implements FrameListener.Source {

    private static final FrameListener NONE = frame -> {};

    private final List<SinkQueue> queues;

    public SinkDispatcher(List<ExecEventSink> sinks) {
        this.queues = sinks.stream().map(SinkQueue::new).toList();
    }

    /** Begins to tell the sinks what was heard so far. */
    public void start(TaskApi tasks) {
        queues.forEach(queue -> queue.start(tasks));
    }

    /** Tells the sinks what was heard, but waits for slow ones only for a moment. */
    public void stop() {
        queues.forEach(SinkQueue::stop);
    }

    @Override
    public FrameListener of(StreamId stream) {
        return queues.isEmpty() || stream.kind() != StreamKind.TASK
                ? NONE
                : frame -> queues.forEach(queue -> queue.offer(frame));
    }
}
