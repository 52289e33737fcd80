package io.penstock.engine.spawn.linux.libc;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
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
        Optional<String> hindrance = closeToTheKernel();
        return hindrance.isPresent() ? hindrance : whyAttachable();
    }

    /** A JVM that does not refuse it runs commands of programs of its account, such as to write its memory to a file. */
    private static Optional<String> whyAttachable() {
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return jvm == null
                        || Boolean.parseBoolean(
                                jvm.getVMOption("DisableAttachMechanism").getValue())
                ? Optional.empty()
                : Optional.of(
                        "The JVM lets them attach: start it with -XX:+DisableAttachMechanism, as ./penstock does.");
    }

    private static Optional<String> closeToTheKernel() {
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
