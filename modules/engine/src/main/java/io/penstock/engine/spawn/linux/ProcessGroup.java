package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.SignalAnswer;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Survivor;
import io.penstock.frames.Containment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All that a child has started, as far as it can be found: by its cgroup, else by what was adopted and by its session. May be used by any thread. */
public final class ProcessGroup {
    private final int leader;
    private final Optional<Cgroup> cgroup;
    private final Optional<Adoption> adoption;
    private final @Nullable String mark;
    private volatile boolean leaderReaped;

    /** @param mark what its environment has as {@link SpawnRequest#MARK}, if anything */
    ProcessGroup(int leader, Optional<Cgroup> cgroup, Optional<Adoption> adoption, @Nullable String mark) {
        this.leader = leader;
        this.cgroup = cgroup;
        this.adoption = adoption;
        this.mark = mark;
    }

    public int leader() {
        return leader;
    }

    public Containment containment() {
        return cgroup.isPresent()
                ? Containment.CGROUP
                : adoption.isPresent() ? Containment.ADOPTION : Containment.SESSION;
    }

    /** To be said as soon as the leader is reaped: from then on its number may be another's. */
    public void leaderIsReaped() {
        leaderReaped = true;
        Adoption.reaped(leader);
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
            Children.kill(-leader, Pursuit.SIGKILL);
        }
        if (cgroup.isPresent()) {
            return;
        }
        Pursuit.of(this::others);
    }

    /** Whether nothing of it can be alive, told at a glance. */
    public boolean leavesNothing() {
        return cgroup.isEmpty()
                && leaderReaped
                && adoption.isPresent()
                && adoption.get().hasNobody();
    }

    /** Without the leader. */
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
        boolean sessionIsOurs = !belongsToAnother();
        if (adoption.isEmpty()) {
            if (sessionIsOurs) {
                ProcessTable.inSession(leader).forEach(found);
            }
            return;
        }
        if (!leaderReaped) {
            Adoption.below(leader, found);
        }
        adoption.get()
                .living(
                        row -> sessionIsOurs && row.session() == leader
                                || mark != null && Marked.is(row.pid(), SpawnRequest.MARK, mark),
                        found);
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
