package io.penstock.engine.pump;

import io.penstock.frames.TaskState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** The tasks that were begun last, newest first, as many as a list for people needs. What they are now is asked elsewhere. */
final class RecentTasks {

    /** A few hundred KiB. */
    private static final int KEPT = 1_000;

    private final SequencedMap<String, TaskState> ended = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, TaskState> eldest) {
            return size() > KEPT;
        }
    };

    synchronized void add(String taskId, TaskState state) {
        ended.put(taskId, state);
    }

    synchronized List<TaskView> newestFirst() {
        var views = new ArrayList<TaskView>();
        ended.sequencedEntrySet()
                .reversed()
                .forEach(entry -> views.add(new TaskView(entry.getKey(), entry.getValue())));
        return views;
    }
}
