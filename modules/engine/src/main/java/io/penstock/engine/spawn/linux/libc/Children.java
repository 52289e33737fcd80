package io.penstock.engine.spawn.linux.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.penstock.engine.spawn.ProcessExit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Waits for one given child, never for any child: the JVM reaps its own. */
public final class Children {
    private Children() {}

    /** Returns a descriptor that becomes readable when the child has ended, or -errno. */
    public static long watch(int pid) {
        MemorySegment state = Libc.state();
        try {
            return Libc.orErrno(
                    (long) Libc.SYSCALL.invokeExact(state, Layouts.SYSCALL_PIDFD_OPEN, (long) pid, 0L), state);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** Reaps a child that has ended; empty while it runs. */
    public static Optional<ProcessExit> reapEnded(int pid) {
        return reap(pid, Layouts.WEXITED | Layouts.WNOHANG);
    }

    /** Waits for the child's end and reaps it. */
    public static void reap(int pid) {
        reap(pid, Layouts.WEXITED);
    }

    private static Optional<ProcessExit> reap(int pid, int options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(Layouts.SIGINFO_BYTES, 8);
            MemorySegment state = Libc.state();
            long answer;
            do {
                answer = Libc.orErrno((int) Libc.WAITID.invokeExact(state, Layouts.P_PID, pid, info, options), state);
            } while (answer == -Errno.EINTR);
            if (answer < 0) {
                return Optional.of(new ProcessExit.Unseen("its status cannot be read: " + Errno.words((int) -answer)));
            }
            if (info.get(JAVA_INT, Layouts.SIGINFO_PID) == 0) {
                return Optional.empty();
            }
            int status = info.get(JAVA_INT, Layouts.SIGINFO_STATUS);
            boolean byItself = info.get(JAVA_INT, Layouts.SIGINFO_CODE) == Layouts.CLD_EXITED;
            return Optional.of(byItself ? new ProcessExit.Exited(status & 0xff) : new ProcessExit.Killed(status));
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** Makes this process the subreaper of its descendants; returns whether the kernel supports that. */
    public static boolean adopt() {
        MemorySegment state = Libc.state();
        try {
            return (int) Libc.PRCTL.invokeExact(state, Layouts.PR_SET_CHILD_SUBREAPER, 1L) == 0;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** The session of a process, even of a zombie; or -errno. */
    public static int session(int pid) {
        MemorySegment state = Libc.state();
        try {
            return (int) Libc.orErrno((int) Libc.GETSID.invokeExact(state, pid), state);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** Sends a signal to a process, or to the group -target; returns 0 or -errno. */
    public static int kill(int target, int signal) {
        MemorySegment state = Libc.state();
        try {
            return (int) Libc.orErrno((int) Libc.KILL.invokeExact(state, target, signal), state);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
