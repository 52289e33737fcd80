package io.penstock.engine.host;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.TaskState;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tasks that this server has opened for hosts and that have not ended, and the hosts that receive their events. */
final class OpenTasks {

    private final TaskApi tasks;
    private final AgentApi agents;
    private final OneThread thread;
    private final Selection selection;
    private final HostDirectory directory;
    private final Map<String, OpenTask> open = new HashMap<>();
    private final Set<ConnectedHost> hosts = new HashSet<>();

    OpenTasks(TaskApi tasks, AgentApi agents, OneThread thread, Selection selection, HostDirectory directory) {
        this.tasks = tasks;
        this.agents = agents;
        this.thread = thread;
        this.selection = selection;
        this.directory = directory;
    }

    void connected(ConnectedHost host) {
        hosts.add(host);
        open.values().forEach(task -> host.follow(task.taskId(), task.nextSeq(), task.events()));
    }

    void disconnected(ConnectedHost host) {
        hosts.remove(host);
    }

    /** An event that is not recorded. */
    void tell(HostEvent event) {
        List.copyOf(hosts).forEach(host -> host.tell(event));
    }

    /** @param before the state before the run's first frame */
    void opened(String name, String taskId, TaskState before) {
        long fromSeq = before.nextSeq();
        OpenTask earlier =
                open.put(name, new OpenTask(agents, name, taskId, before, tasks.follow(taskId, fromSeq), this::ended));
        if (earlier != null) {
            earlier.close();
        }
        selection.leave(name);
        List.copyOf(hosts).forEach(host -> host.follow(taskId, fromSeq, new HostEvents(name)));
    }

    private void ended(OpenTask task) {
        if (open.remove(task.name(), task)) {
            selection.leave(task.name());
            directory.ended(task.name(), HostDirectory.Entry.of(task.taskId(), task.state()));
        }
    }

    boolean has(String name) {
        return open.containsKey(name);
    }

    /** The id of an open task. */
    @Nullable
    String taskId(String name) {
        OpenTask task = open.get(name);
        return task == null ? null : task.taskId();
    }

    /** The state of each open task by its name; if it cannot be read now, the last one that was seen. */
    Future<Map<String, TaskState>> states() {
        List<OpenTask> all = List.copyOf(open.values());
        List<Future<TaskState>> states = new ArrayList<>();
        all.forEach(task -> states.add(thread.here(tasks.state(task.taskId())).otherwise(e -> task.state())));
        return Future.all(states).map(read -> {
            var byName = new LinkedHashMap<String, TaskState>();
            for (int i = 0; i < all.size(); i++) {
                byName.put(all.get(i).name(), read.resultAt(i));
            }
            return byName;
        });
    }
}
