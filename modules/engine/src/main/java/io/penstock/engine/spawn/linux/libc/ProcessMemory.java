package io.penstock.engine.spawn.linux.libc;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Protects this process's memory from other processes of the same account. */
public final class ProcessMemory {

    private static final int PR_SET_DUMPABLE = 4;

    private ProcessMemory() {}

    /**
     * Hides memory, environment and descriptors of this process from all but root, as tasks run under the same account: root owns the
     * files of /proc/PID then, and no debugger may attach. Started programs are not affected. Empty on success, else the reason.
     */
    public static Optional<String> close() {
        Optional<String> hindrance = Platform.whyNot();
        if (hindrance.isPresent()) {
            return hindrance;
        }
        MemorySegment state = Libc.state();
        try {
            long answer = Libc.orErrno((int) Libc.PRCTL.invokeExact(state, PR_SET_DUMPABLE, 0L), state);
            return answer == 0 ? Optional.empty() : Optional.of("the kernel refuses it: " + Errno.words((int) -answer));
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
