package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.SignalResult;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Survivor;
import io.penstock.engine.spawn.linux.libc.Children;
import io.penstock.engine.spawn.linux.libc.Errno;
import io.penstock.frames.Containment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The processes that a child started, found by its cgroup, or else among the adopted orphans and by its session. Thread-safe. */
public final class ProcessGroup {
    private final int leader;
    private final Optional<Cgroup> cgroup;
    private final Optional<Subreaper> subreaper;
    private final @Nullable String mark;
    private volatile boolean leaderReaped;

    /** @param mark value of {@link SpawnRequest#MARK} in its environment, if any */
    ProcessGroup(int leader, Optional<Cgroup> cgroup, Optional<Subreaper> subreaper, @Nullable String mark) {
        this.leader = leader;
        this.cgroup = cgroup;
        this.subreaper = subreaper;
        this.mark = mark;
    }

    public int leader() {
        return leader;
    }

    public Containment containment() {
        return cgroup.isPresent()
                ? Containment.CGROUP
                : subreaper.isPresent() ? Containment.ADOPTION : Containment.SESSION;
    }

    /** Call it as soon as the leader is reaped: from then on another process may get its number. */
    public void setLeaderReaped() {
        leaderReaped = true;
        Subreaper.reaped(leader);
    }

    public SignalResult signal(int signal) {
        if (isNumberReused()) {
            return SignalResult.NO_PROCESS;
        }
        return switch (Children.kill(-leader, signal)) {
            case 0 -> SignalResult.DELIVERED;
            case -Errno.EPERM -> SignalResult.NOT_PERMITTED;
            case -Errno.ESRCH -> SignalResult.NO_PROCESS;
            default -> throw new IllegalArgumentException("there is no signal " + signal);
        };
    }

    public void killAll() {
        cgroup.ifPresent(Cgroup::kill);
        if (!isNumberReused()) {
            Children.kill(-leader, KillLoop.SIGKILL);
        }
        if (cgroup.isPresent()) {
            return;
        }
        KillLoop.of(this::others);
    }

    /** Whether certainly none of its processes is alive; a cheap check. */
    public boolean leavesNoProcess() {
        return cgroup.isEmpty()
                && leaderReaped
                && subreaper.isPresent()
                && subreaper.get().hasNoOrphans();
    }

    /** Its live processes without the leader. */
    public List<Survivor> survivors() {
        List<Survivor> survivors = new ArrayList<>();
        others(row -> survivors.add(new Survivor(row.pid(), row.name())));
        return survivors;
    }

    private void others(Consumer<ProcessTable.Row> found) {
        members(row -> {
            if (row.pid() != leader && !row.ended()) {
                found.accept(row);
            }
        });
    }

    private void members(Consumer<ProcessTable.Row> found) {
        if (cgroup.isPresent()) {
            cgroup.get().members().forEach(found);
            return;
        }
        boolean sessionIsOurs = !isNumberReused();
        if (subreaper.isEmpty()) {
            if (sessionIsOurs) {
                ProcessTable.inSession(leader).forEach(found);
            }
            return;
        }
        if (!leaderReaped) {
            Subreaper.below(leader, found);
        }
        subreaper
                .get()
                .living(
                        row -> sessionIsOurs && row.session() == leader
                                || mark != null && TaggedProcesses.hasVariable(row.pid(), SpawnRequest.MARK, mark),
                        found);
    }

    /** Whether the leader is really in its cgroup. */
    boolean holdsLeader() {
        return cgroup.map(Cgroup::members).orElse(List.of()).stream().anyMatch(row -> row.pid() == leader);
    }

    /** Call it when the group is not needed any longer. */
    public void release() {
        cgroup.ifPresent(Cgroup::remove);
    }

    /**
     * The kernel does not reuse the number of a live session or group. So after the leader was reaped, a process with its number is a
     * stranger, and none of the group's processes is alive.
     */
    private boolean isNumberReused() {
        return leaderReaped && ProcessTable.row(leader).isPresent();
    }
}
