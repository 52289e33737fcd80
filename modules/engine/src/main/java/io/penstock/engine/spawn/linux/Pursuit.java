package io.penstock.engine.spawn.linux;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Kills programs that may be faster than whoever looks for them: one that goes on as its own child, again and again, is gone when
 * its number is killed. So whole process groups are killed, which the kernel does in one step that no fork escapes, and it is over
 * when several looks in a row have found nobody.
 */
final class Pursuit {

    static final int SIGKILL = 9;

    /** With as many processes asking for a processor as a bomb has, a look may take a tenth of a second. */
    private static final long GIVEN_UP_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One look can miss who is just being forked, or has no environment yet because another program is just being executed. */
    private static final int LOOKS_WITH_NOBODY = 3;

    /** Where somebody was found again and again: who is faster than a look, may also wait for a processor in the middle of a step. */
    private static final int LOOKS_AFTER_A_CHASE = 50;

    private static final long OWN_SESSION = ProcessTable.row(
                    ProcessHandle.current().pid())
            .map(ProcessTable.Row::session)
            .orElse(-1L);

    private Pursuit() {}

    /** Tells of all that are there now, each as soon as it is found. */
    interface Look {
        void at(Consumer<ProcessTable.Row> found);
    }

    /** Answers those that would not go. */
    static List<ProcessTable.Row> of(Look look) {
        long deadline = System.nanoTime() + GIVEN_UP_AFTER_NANOS;
        List<ProcessTable.Row> found = new ArrayList<>();
        int looksWithSomebody = 0;
        int nobody = 0;
        while (nobody < (looksWithSomebody > 2 ? LOOKS_AFTER_A_CHASE : LOOKS_WITH_NOBODY)
                && System.nanoTime() < deadline) {
            found.clear();
            look.at(row -> {
                kill(row);
                found.add(row);
            });
            looksWithSomebody += found.isEmpty() ? 0 : 1;
            nobody = found.isEmpty() ? nobody + 1 : 0;
            // It takes the kernel a moment to carry it out.
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return found;
    }

    /** Nobody can join a group of another session, so all in this one come from where the found one comes from. */
    private static void kill(ProcessTable.Row row) {
        Children.kill((int) row.pid(), SIGKILL);
        if (row.session() != OWN_SESSION && row.group() > 1) {
            Children.kill((int) -row.group(), SIGKILL);
        }
    }
}
