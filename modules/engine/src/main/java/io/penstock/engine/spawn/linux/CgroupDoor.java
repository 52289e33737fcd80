package io.penstock.engine.spawn.linux;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds a child at the door until it has been put into its cgroup, for before glibc 2.39 posix_spawn cannot start one there. The
 * child's first steps are to open two FIFOs. Opening the first waits until the doorman opens its other end, which tells that the
 * child exists; opening the second waits until the doorman has moved it. Who spawns is meanwhile suspended, as after a vfork.
 */
final class CgroupDoor implements AutoCloseable {
    private final Path folder;
    private final String arrival;
    private final String passage;
    private final ExecutorService doorman = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("cgroup-door").factory());

    private CgroupDoor(Path folder) {
        this.folder = folder;
        this.arrival = folder.resolve("arrival").toString();
        this.passage = folder.resolve("passage").toString();
    }

    static CgroupDoor open() throws IOException {
        var door = new CgroupDoor(Files.createTempDirectory("penstock-door-"));
        door.makeFifo(door.arrival);
        door.makeFifo(door.passage);
        return door;
    }

    /** The start of a child. */
    interface Start {
        int start() throws CallFailed;
    }

    /**
     * Starts a child and answers its number, or -errno. One at a time: there is one door. A child that could not be moved is
     * ended: what was promised is that nothing gets away.
     */
    synchronized int lead(PosixSpawn spawn, Cgroup into, Start start) throws CallFailed {
        spawn.passes(arrival, Layouts.O_WRONLY);
        spawn.passes(passage, Layouts.O_RDONLY);
        int spawner = threadId();
        Set<String> before = childrenOf(spawner);
        var returned = new AtomicBoolean();
        Future<Moved> moving = doorman.submit(() -> moveTheOneWhoComes(spawner, before, into, returned));
        int pid = start.start();
        returned.set(true);
        Moved moved = releaseDoorman(moving);
        Descriptors.close(moved.passage());
        if (pid > 0 && !moved.joined()) {
            Children.kill(-pid, ProcessGroup.SIGKILL);
            Children.reap(pid);
            throw new CallFailed("moving it into its cgroup", Errno.EACCES);
        }
        return pid;
    }

    @Override
    public void close() {
        doorman.shutdown();
        folder.resolve("arrival").toFile().delete();
        folder.resolve("passage").toFile().delete();
        folder.toFile().delete();
    }

    /** @param passage held open until the child has passed */
    private record Moved(boolean joined, int passage) {}

    private Moved moveTheOneWhoComes(int spawner, Set<String> before, Cgroup into, AtomicBoolean returned) {
        long came = Libc.open(arrival, Layouts.O_RDONLY);
        boolean joined = false;
        try {
            // The kernel may pass over a child in this list while another leaves it.
            while (!joined && !returned.get()) {
                Set<String> children = childrenOf(spawner);
                children.removeAll(before);
                for (String pid : children) {
                    into.join(Integer.parseInt(pid));
                    joined = true;
                }
            }
        } catch (IOException e) {
            joined = false;
        }
        Descriptors.close((int) came);
        // Opened both ways it does not wait, and whoever opens its other end passes, whether it is there already or
        // comes.
        return new Moved(joined, (int) Libc.open(passage, Layouts.O_RDWR));
    }

    /** If no child came, the doorman is still waiting for one. */
    private Moved releaseDoorman(Future<Moved> moving) {
        while (!moving.isDone()) {
            long opened = Libc.open(arrival, Layouts.O_WRONLY | Layouts.O_NONBLOCK);
            if (opened >= 0) {
                Descriptors.close((int) opened);
            }
            Thread.onSpinWait();
        }
        return moving.resultNow();
    }

    private static Set<String> childrenOf(int thread) {
        try {
            String children = Files.readString(Path.of("/proc/self/task/" + thread + "/children"));
            return Stream.of(children.split(" ")).filter(pid -> !pid.isBlank()).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException("This kernel does not tell a thread's children.", e);
        }
    }

    private static int threadId() {
        try {
            return (int) Libc.GETTID.invokeExact();
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    private void makeFifo(String file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = Libc.state();
            MemorySegment path = arena.allocateFrom(file);
            long answer = Libc.orErrno((int) Libc.MKFIFO.invokeExact(state, path, 0600), state);
            if (answer < 0) {
                throw new IOException("mkfifo " + file + ": " + Errno.words((int) -answer));
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
