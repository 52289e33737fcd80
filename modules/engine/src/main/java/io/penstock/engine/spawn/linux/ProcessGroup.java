package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.SignalAnswer;
import io.penstock.engine.spawn.Survivor;
import io.penstock.frames.Containment;
import java.util.List;
import java.util.Optional;

/** All that a child has started, as far as it can be found: by its cgroup, else by its session. May be used by any thread. */
public final class ProcessGroup {
    static final int SIGKILL = 9;

    /** A program that forks as fast as it is killed is caught by its cgroup only; without one it is tried this often. */
    private static final int ROUNDS = 5;

    private final int leader;
    private final Optional<Cgroup> cgroup;
    private volatile boolean leaderReaped;

    ProcessGroup(int leader, Optional<Cgroup> cgroup) {
        this.leader = leader;
        this.cgroup = cgroup;
    }

    public int leader() {
        return leader;
    }

    public Containment containment() {
        return cgroup.isPresent() ? Containment.CGROUP : Containment.SESSION;
    }

    /** To be said as soon as the leader is reaped: from then on its number may be another's. */
    public void leaderIsReaped() {
        leaderReaped = true;
    }

    public SignalAnswer signal(int signal) {
        if (belongsToAnother()) {
            return SignalAnswer.NOBODY_THERE;
        }
        return switch (Children.kill(-leader, signal)) {
            case 0 -> SignalAnswer.DELIVERED;
            case -Errno.EPERM -> SignalAnswer.NOT_PERMITTED;
            case -Errno.ESRCH -> SignalAnswer.NOBODY_THERE;
            default -> throw new IllegalArgumentException("There is no signal " + signal);
        };
    }

    public void killAll() {
        cgroup.ifPresent(Cgroup::kill);
        if (!belongsToAnother()) {
            Children.kill(-leader, SIGKILL);
        }
        if (cgroup.isEmpty()) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Survivor> left = survivors();
                if (left.isEmpty()) {
                    return;
                }
                left.forEach(survivor -> Children.kill((int) survivor.pid(), SIGKILL));
            }
        }
    }

    /** Without the leader. */
    public List<Survivor> survivors() {
        List<ProcessTable.Row> rows = cgroup.map(Cgroup::members)
                .orElseGet(() -> belongsToAnother() ? List.of() : ProcessTable.inSession(leader));
        return rows.stream()
                .filter(row -> row.pid() != leader && !row.ended())
                .map(row -> new Survivor(row.pid(), row.name()))
                .toList();
    }

    /** Whether the leader has really been started where it should be. */
    boolean holdsLeader() {
        return cgroup.map(Cgroup::members).orElse(List.of()).stream().anyMatch(row -> row.pid() == leader);
    }

    /** Nothing is asked of the group any more. */
    public void release() {
        cgroup.ifPresent(Cgroup::remove);
    }

    /**
     * While a session or group lives, the kernel gives its number to nobody. So once our leader is reaped, a process of that number
     * means that ours are all gone and that the number is a stranger's.
     */
    private boolean belongsToAnother() {
        return leaderReaped && ProcessTable.row(leader).isPresent();
    }
}
