package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.Survivor;
import java.util.List;
import java.util.Optional;

/**
 * What was found of a program whose server has died.
 *
 * @param killed it was alive, and is killed with all of its session
 * @param left members of a session of its number, whose leader is gone: most likely its own, but not surely, so they are left alone
 */
public record Leftover(boolean killed, List<Survivor> left) {
    /** Ends what can be proved to be that program's. */
    public static Leftover end(ProcessIdentity identity) {
        boolean sameBoot = identity.boot().equals(ProcessTable.boot());
        Optional<ProcessTable.Row> now = ProcessTable.row(identity.pid());
        if (!sameBoot) {
            return new Leftover(false, List.of());
        }
        if (now.isPresent()) {
            // Another start is another process, and the kernel gives a number away only when nothing of its session is
            // left.
            boolean same = now.get().startTicks() == identity.startTicks();
            if (same) {
                new ProcessGroup((int) identity.pid(), Optional.empty(), Optional.empty(), null).killAll();
            }
            return new Leftover(same, List.of());
        }
        return new Leftover(
                false,
                ProcessTable.inSession(identity.pid()).stream()
                        .map(row -> new Survivor(row.pid(), row.name()))
                        .toList());
    }
}
