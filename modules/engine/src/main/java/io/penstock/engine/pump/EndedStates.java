package io.penstock.engine.pump;

import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states of tasks that have ended, of those that were asked about last: folding all frames of a long one takes a while, and who
 * fetches its output range by range asks each time. They stay true because nothing is added to a stream behind the frame that tells
 * the end; whatever will do that, such as another run, has to forget the task here. Any thread.
 */
final class EndedStates {

    private final LinkedHashMap<String, TaskState> byTask = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TaskState> eldest) {
            return size() > Limits.ENDED_STATES;
        }
    };

    synchronized @Nullable TaskState find(String taskId) {
        return byTask.get(taskId);
    }

    /** If it has ended. */
    synchronized TaskState keep(String taskId, TaskState state) {
        if (state.run().ending() != null) {
            byTask.put(taskId, state);
        }
        return state;
    }
}
