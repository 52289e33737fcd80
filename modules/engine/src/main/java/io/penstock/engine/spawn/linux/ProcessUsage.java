package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.MemoryPages;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the processes of one program use.
 *
 * @param cpuMs time on processors of those that are alive, and of the ended ones for which these have waited
 * @param memoryBytes resident memory; shared pages are counted for each process
 */
record ProcessUsage(long cpuMs, long memoryBytes, int processes) {

    static final ProcessUsage NONE = new ProcessUsage(0, 0, 0);

    /** USER_HZ is 100 on every processor that the native calls support. */
    private static final int TICK_MS = 10;

    /** More than any real tree of processes; ends the search in rows that were read while numbers were reused. */
    private static final int GENERATIONS = 1_000;

    /**
     * The usage of programs, by the number of their first process, from one pass over /proc. Processes that have left both their
     * program's session and their parent are not found. Programs that have ended are left out.
     */
    static Map<Long, ProcessUsage> of(Set<Long> leaders) {
        List<ProcessTable.Row> all = ProcessTable.rows();
        var rows = new HashMap<Long, ProcessTable.Row>();
        all.forEach(row -> rows.put(row.pid(), row));
        var usage = new HashMap<Long, ProcessUsage>();
        for (ProcessTable.Row row : all) {
            Long leader = leaderOf(row, leaders, rows);
            if (leader != null) {
                usage.merge(leader, of(row), ProcessUsage::plus);
            }
        }
        return usage;
    }

    private static @Nullable Long leaderOf(ProcessTable.Row row, Set<Long> leaders, Map<Long, ProcessTable.Row> rows) {
        ProcessTable.Row at = row;
        for (int generation = 0; at != null && generation < GENERATIONS; generation++) {
            if (leaders.contains(at.pid())) {
                return at.pid();
            }
            if (leaders.contains(at.session())) {
                return at.session();
            }
            at = rows.get(at.parent());
        }
        return null;
    }

    private static ProcessUsage of(ProcessTable.Row row) {
        return new ProcessUsage(row.cpuTicks() * TICK_MS, row.residentPages() * MemoryPages.BYTES, row.ended() ? 0 : 1);
    }

    private ProcessUsage plus(ProcessUsage other) {
        return new ProcessUsage(cpuMs + other.cpuMs, memoryBytes + other.memoryBytes, processes + other.processes);
    }
}
