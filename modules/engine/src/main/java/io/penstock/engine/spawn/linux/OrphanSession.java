package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Survivor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A task of a dead server, and its program.
 *
 * @param program null if it is unknown or was not started
 */
public record OrphanSession(String taskId, @Nullable ProcessIdentity program) {

    /**
     * Kills all processes that certainly belong to these tasks: by the task's id in their environment, or by the session of the task's
     * program. One kill loop for all tasks, since each scan reads all processes of the machine.
     *
     * @return the survivors by task: processes that could not be killed, and those in a session whose leader has ended, which is probably
     *     but not certainly the program's, so they are left alone
     */
    public static Map<String, List<Survivor>> killAll(Collection<OrphanSession> tasks) {
        if (tasks.isEmpty()) {
            return Map.of();
        }
        String boot = ProcessTable.boot();
        var taskIds = new HashSet<String>();
        var programs = new HashMap<Long, OrphanSession>();
        for (OrphanSession task : tasks) {
            taskIds.add(task.taskId());
            ProcessIdentity program = task.program();
            if (program != null && program.boot().equals(boot)) {
                programs.put(program.pid(), task);
            }
        }
        var sessions = new HashMap<>(programs);
        sessions.keySet().retainAll(byNumber(ProcessTable.rows()).keySet());
        var survivors = new HashMap<String, List<Survivor>>();
        for (ProcessTable.Row row : KillLoop.of(found -> scan(taskIds, sessions, found))) {
            add(survivors, owner(row, taskIds, sessions), row);
        }
        programs.keySet().removeAll(sessions.keySet());
        Map<Long, ProcessTable.Row> left = byNumber(ProcessTable.rows());
        programs.keySet().removeAll(left.keySet());
        for (ProcessTable.Row row : left.values()) {
            OrphanSession task = programs.get(row.session());
            if (task != null && !row.ended()) {
                add(survivors, task.taskId(), row);
            }
        }
        return survivors;
    }

    private static void add(Map<String, List<Survivor>> survivors, @Nullable String taskId, ProcessTable.Row row) {
        if (taskId != null) {
            survivors.computeIfAbsent(taskId, none -> new ArrayList<>()).add(new Survivor(row.pid(), row.name()));
        }
    }

    private static void scan(Set<String> taskIds, Map<Long, OrphanSession> sessions, Consumer<ProcessTable.Row> found) {
        Map<Long, ProcessTable.Row> rows = byNumber(ProcessTable.rows());
        // A leader with another start time is another program: the kernel reuses a number once nothing of its session
        // is left.
        sessions.entrySet().removeIf(session -> {
            ProcessTable.Row leader = rows.get(session.getKey());
            return leader != null && !isOf(session.getValue(), leader);
        });
        for (ProcessTable.Row row : rows.values()) {
            if (!row.ended() && owner(row, taskIds, sessions) != null) {
                found.accept(row);
            }
        }
    }

    private static boolean isOf(OrphanSession task, ProcessTable.Row leader) {
        ProcessIdentity program = task.program();
        return program != null && program.startTicks() == leader.startTicks();
    }

    private static Map<Long, ProcessTable.Row> byNumber(List<ProcessTable.Row> rows) {
        var numbered = new HashMap<Long, ProcessTable.Row>();
        rows.forEach(row -> numbered.put(row.pid(), row));
        return numbered;
    }

    private static @Nullable String owner(
            ProcessTable.Row row, Set<String> taskIds, Map<Long, OrphanSession> sessions) {
        OrphanSession task = sessions.get(row.session());
        if (task != null) {
            return task.taskId();
        }
        String marked = TaggedProcesses.value(row.pid(), SpawnRequest.MARK);
        return marked != null && taskIds.contains(marked) ? marked : null;
    }
}
