package io.penstock.engine.spawn.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One call of posix_spawn: the child leads its own session and group, has default signal handling, and inherits no descriptors except
 * the three given. The call returns once the child executes the new program, or fails with the reason.
 */
public final class PosixSpawn implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment actions = arena.allocate(Layouts.SPAWN_FILE_ACTIONS_BYTES, 16);
    private final MemorySegment attributes = arena.allocate(Layouts.SPAWN_ATTRIBUTES_BYTES, 16);

    public PosixSpawn() throws CallFailed {
        try {
            CallFailed.check("posix_spawn_file_actions_init", -(int) Libc.ACTIONS_INIT.invokeExact(actions));
            CallFailed.check("posix_spawnattr_init", -(int) Libc.ATTRIBUTES_INIT.invokeExact(attributes));
            MemorySegment signals = arena.allocate(Layouts.SIGNAL_SET_BYTES, 8);
            int ignored = (int) Libc.SIGEMPTYSET.invokeExact(signals);
            ignored = (int) Libc.ATTRIBUTES_MASK.invokeExact(attributes, signals);
            ignored = (int) Libc.SIGFILLSET.invokeExact(signals);
            ignored = (int) Libc.ATTRIBUTES_DEFAULT.invokeExact(attributes, signals);
            flags(Layouts.SPAWN_SETSID | Layouts.SPAWN_SETSIGMASK | Layouts.SPAWN_SETSIGDEF);
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** Whether this C library can start a child in a cgroup. */
    public static boolean knowsCgroups() {
        return Libc.ATTRIBUTES_CGROUP.isPresent();
    }

    /** Starts the child in the cgroup of this folder descriptor. */
    public void into(int cgroup) throws CallFailed {
        MethodHandle setCgroup = Libc.ATTRIBUTES_CGROUP.orElseThrow();
        try {
            CallFailed.check("posix_spawnattr_setcgroup_np", -(int) setCgroup.invokeExact(attributes, cgroup));
            flags(Layouts.SPAWN_SETSID | Layouts.SPAWN_SETSIGMASK | Layouts.SPAWN_SETSIGDEF | Layouts.SPAWN_SETCGROUP);
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** Returns the child's number, or the -errno of its working directory, its terminal or the program. */
    public int start(String program, List<String> command, Map<String, String> environment, Path cwd, Stdio stdio)
            throws CallFailed {
        connect(stdio);
        try {
            closeAbove2();
            int answer = (int) Libc.ACTIONS_CHDIR.invokeExact(actions, arena.allocateFrom(cwd.toString()));
            CallFailed.check("posix_spawn_file_actions_addchdir_np", -answer);
            List<String> variables = environment.entrySet().stream()
                    .map(variable -> variable.getKey() + "=" + variable.getValue())
                    .toList();
            MemorySegment pid = arena.allocate(JAVA_INT);
            MemorySegment path = arena.allocateFrom(program);
            MemorySegment words = strings(command);
            MemorySegment environ = strings(variables);
            int errno = (int) Libc.SPAWN.invokeExact(pid, path, actions, attributes, words, environ);
            return errno == 0 ? pid.get(JAVA_INT, 0) : -errno;
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    @Override
    public void close() {
        try {
            int ignored = (int) Libc.ACTIONS_DESTROY.invokeExact(actions);
            ignored = (int) Libc.ATTRIBUTES_DESTROY.invokeExact(attributes);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
        arena.close();
    }

    private void connect(Stdio stdio) throws CallFailed {
        switch (stdio) {
            case Stdio.OfTerminal terminal -> {
                openAs(0, terminal.name(), Layouts.O_RDWR);
                duplicate(0, 1);
                duplicate(0, 2);
            }
            case Stdio.OfPipes pipes -> {
                if (pipes.input() < 0) {
                    openAs(0, "/dev/null", Layouts.O_RDONLY);
                } else {
                    duplicate(pipes.input(), 0);
                }
                duplicate(pipes.output(), 1);
                duplicate(pipes.errors(), 2);
            }
        }
    }

    private void flags(int flags) throws Throwable {
        int ignored = (int) Libc.ATTRIBUTES_FLAGS.invokeExact(attributes, (short) flags);
    }

    private void openAs(int fd, String file, int flags) throws CallFailed {
        try {
            MemorySegment path = arena.allocateFrom(file);
            int answer = (int) Libc.ACTIONS_OPEN.invokeExact(actions, fd, path, flags, 0);
            CallFailed.check("posix_spawn_file_actions_addopen", -answer);
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    private void closeAbove2() throws Throwable {
        int answer = (int) Libc.ACTIONS_CLOSE_FROM.invokeExact(actions, 3);
        CallFailed.check("posix_spawn_file_actions_addclosefrom_np", -answer);
    }

    private void duplicate(int from, int to) throws CallFailed {
        try {
            int answer = (int) Libc.ACTIONS_DUP2.invokeExact(actions, from, to);
            CallFailed.check("posix_spawn_file_actions_adddup2", -answer);
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    private MemorySegment strings(List<String> texts) {
        MemorySegment pointers = arena.allocate(ADDRESS, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            pointers.setAtIndex(ADDRESS, i, arena.allocateFrom(texts.get(i)));
        }
        pointers.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
        return pointers;
    }
}
