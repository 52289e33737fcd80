package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.Children;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Kills programs that may be faster than a scan for them: a program that keeps replacing itself by its child has ended when its number
 * is killed. So the loop kills whole process groups, in one step of the kernel that no fork escapes, and ends when several scans in a
 * row have found no process.
 */
final class KillLoop {

    static final int SIGKILL = 9;

    /** While a fork bomb's processes compete for the processors, a scan may take a tenth of a second. */
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long SCAN_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One scan can miss a process that is being forked, or one without an environment during its exec. */
    private static final int EMPTY_SCANS = 3;

    /** After repeated finds: a process faster than a scan may also be waiting for a processor in the middle of a fork. */
    private static final int EMPTY_SCANS_AFTER_CHASE = 50;

    private static final long OWN_SESSION = ProcessTable.row(
                    ProcessHandle.current().pid())
            .map(ProcessTable.Row::session)
            .orElse(-1L);

    private KillLoop() {}

    /** Reports all current processes, each as soon as it is found. */
    interface Scan {
        void scan(Consumer<ProcessTable.Row> found);
    }

    /** Returns the processes that survived. */
    static List<ProcessTable.Row> of(Scan look) {
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        List<ProcessTable.Row> found = new ArrayList<>();
        int finds = 0;
        int emptyScans = 0;
        while (emptyScans < (finds > 2 ? EMPTY_SCANS_AFTER_CHASE : EMPTY_SCANS) && System.nanoTime() < deadline) {
            found.clear();
            look.scan(row -> {
                kill(row);
                found.add(row);
            });
            finds += found.isEmpty() ? 0 : 1;
            emptyScans = found.isEmpty() ? emptyScans + 1 : 0;
            // The kernel needs a moment to carry out the kill.
            LockSupport.parkNanos(SCAN_INTERVAL_NANOS);
        }
        return found;
    }

    /** No process can join a group of another session, so the whole group belongs to the same program. */
    private static void kill(ProcessTable.Row row) {
        Children.kill((int) row.pid(), SIGKILL);
        if (row.session() != OWN_SESSION && row.group() > 1) {
            Children.kill((int) -row.group(), SIGKILL);
        }
    }
}
