package io.penstock.engine.spawn.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/** The functions of the C library in use. Where the library sets errno, a call here returns -errno, as the kernel does. */
@SuppressWarnings("restricted") // calling the C library is what this class is for
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> STATE_OF_THREAD =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

    static final MethodHandle READ = withErrno("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    static final MethodHandle WRITE = withErrno("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    static final MethodHandle CLOSE = withErrno("close", JAVA_INT, JAVA_INT);
    static final MethodHandle PIPE2 = withErrno("pipe2", JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle FCNTL = variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle IOCTL = variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    static final MethodHandle OPEN = variadic("open", 2, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle KILL = withErrno("kill", JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle GETPAGESIZE = plain("getpagesize", JAVA_INT);
    static final MethodHandle GETSID = withErrno("getsid", JAVA_INT, JAVA_INT);
    static final MethodHandle WAITID = withErrno("waitid", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle SYSCALL = variadic("syscall", 1, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    static final MethodHandle PRCTL = variadic("prctl", 1, JAVA_INT, JAVA_INT, JAVA_LONG);
    static final MethodHandle POLL = withErrno("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    static final MethodHandle PRLIMIT = withErrno("prlimit", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle POSIX_OPENPT = withErrno("posix_openpt", JAVA_INT, JAVA_INT);
    static final MethodHandle GRANTPT = withErrno("grantpt", JAVA_INT, JAVA_INT);
    static final MethodHandle UNLOCKPT = withErrno("unlockpt", JAVA_INT, JAVA_INT);
    static final MethodHandle PTSNAME_R = plain("ptsname_r", JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG);
    static final MethodHandle TCGETATTR = withErrno("tcgetattr", JAVA_INT, JAVA_INT, ADDRESS);
    static final MethodHandle TCSETATTR = withErrno("tcsetattr", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    static final MethodHandle SIGEMPTYSET = plain("sigemptyset", JAVA_INT, ADDRESS);
    static final MethodHandle SIGFILLSET = plain("sigfillset", JAVA_INT, ADDRESS);
    static final MethodHandle SPAWN =
            plain("posix_spawn", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    static final MethodHandle ACTIONS_INIT = plain("posix_spawn_file_actions_init", JAVA_INT, ADDRESS);
    static final MethodHandle ACTIONS_DESTROY = plain("posix_spawn_file_actions_destroy", JAVA_INT, ADDRESS);
    static final MethodHandle ACTIONS_OPEN =
            plain("posix_spawn_file_actions_addopen", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle ACTIONS_DUP2 =
            plain("posix_spawn_file_actions_adddup2", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    static final MethodHandle ACTIONS_CLOSE_FROM =
            plain("posix_spawn_file_actions_addclosefrom_np", JAVA_INT, ADDRESS, JAVA_INT);
    static final MethodHandle ACTIONS_CHDIR = plain("posix_spawn_file_actions_addchdir_np", JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle ATTRIBUTES_INIT = plain("posix_spawnattr_init", JAVA_INT, ADDRESS);
    static final MethodHandle ATTRIBUTES_DESTROY = plain("posix_spawnattr_destroy", JAVA_INT, ADDRESS);
    static final MethodHandle ATTRIBUTES_FLAGS = plain("posix_spawnattr_setflags", JAVA_INT, ADDRESS, JAVA_SHORT);
    static final MethodHandle ATTRIBUTES_MASK = plain("posix_spawnattr_setsigmask", JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle ATTRIBUTES_DEFAULT = plain("posix_spawnattr_setsigdefault", JAVA_INT, ADDRESS, ADDRESS);

    /** Starting a child in a cgroup needs glibc 2.39. */
    static final Optional<MethodHandle> ATTRIBUTES_CGROUP = LINKER.defaultLookup()
            .find("posix_spawnattr_setcgroup_np")
            .map(function -> LINKER.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)));

    private Libc() {}

    /** The memory for the errno of the next call on this thread. */
    static MemorySegment state() {
        return STATE_OF_THREAD.get();
    }

    /** The result of a call, or -errno if it failed. */
    static long orErrno(long result, MemorySegment state) {
        return result == -1 ? -(long) (int) ERRNO.get(state, 0L) : result;
    }

    /** Opens a file and returns its descriptor, or -errno. */
    static long open(String file, int flags) {
        MemorySegment state = state();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(file);
            return orErrno((int) OPEN.invokeExact(state, path, flags | Layouts.O_CLOEXEC, 0), state);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** For a case that cannot occur: a downcall handle does not throw. */
    static AssertionError unexpected(Throwable thrown) {
        return new AssertionError("A call into the C library threw.", thrown);
    }

    private static MethodHandle withErrno(String name, ValueLayout result, ValueLayout... arguments) {
        return handle(name, result, arguments, Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle variadic(String name, int fixed, ValueLayout result, ValueLayout... arguments) {
        return handle(
                name,
                result,
                arguments,
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(fixed));
    }

    private static MethodHandle plain(String name, ValueLayout result, ValueLayout... arguments) {
        return handle(name, result, arguments);
    }

    private static MethodHandle handle(
            String name, ValueLayout result, ValueLayout[] arguments, Linker.Option... options) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments), options);
    }
}
