package io.penstock.engine.spawn.linux.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Reads, writes, creates and closes descriptors. Every negative result is -errno. */
public final class Descriptors {
    private Descriptors() {}

    /** The two ends of a pipe. */
    public record Pipe(int readEnd, int writeEnd) {}

    /** Opens a file or folder to be read. */
    public static int openToRead(String file) {
        return (int) Libc.open(file, Layouts.O_RDONLY);
    }

    public static long read(int fd, MemorySegment into, long bytes) {
        MemorySegment state = Libc.state();
        try {
            return Libc.orErrno((long) Libc.READ.invokeExact(state, fd, into, bytes), state);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    public static long write(int fd, MemorySegment from, long bytes) {
        MemorySegment state = Libc.state();
        try {
            return Libc.orErrno((long) Libc.WRITE.invokeExact(state, fd, from, bytes), state);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** Returns nothing: on Linux the descriptor is closed whatever the call returns. */
    public static void close(int fd) {
        MemorySegment state = Libc.state();
        try {
            int ignored = (int) Libc.CLOSE.invokeExact(state, fd);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** A pipe whose ends are not inherited by children. */
    public static Pipe pipe() throws CallFailed {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(JAVA_INT, 2);
            MemorySegment state = Libc.state();
            CallFailed.check("pipe", Libc.orErrno((int) Libc.PIPE2.invokeExact(state, ends, Layouts.O_CLOEXEC), state));
            int read = above2(ends.getAtIndex(JAVA_INT, 0));
            int write = above2(ends.getAtIndex(JAVA_INT, 1));
            return new Pipe(read, write);
        } catch (CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    public static void neverBlock(int fd) {
        long flags = fcntl(fd, Layouts.F_GETFL, 0);
        fcntl(fd, Layouts.F_SETFL, (int) flags | Layouts.O_NONBLOCK);
    }

    /** As far as the kernel allows: the pipes of an unprivileged user are small once there are many. */
    public static void enlarge(int fd, int bytes) {
        fcntl(fd, Layouts.F_SETPIPE_SZ, bytes);
    }

    /** A server started with closed standard descriptors would get 0 to 2 for its pipes, which the child's start overwrites. */
    private static int above2(int fd) throws CallFailed {
        if (fd > 2) {
            return fd;
        }
        long moved = fcntl(fd, Layouts.F_DUPFD_CLOEXEC, 3);
        close(fd);
        return (int) CallFailed.check("fcntl", moved);
    }

    private static long fcntl(int fd, int command, int argument) {
        MemorySegment state = Libc.state();
        try {
            return Libc.orErrno((int) Libc.FCNTL.invokeExact(state, fd, command, argument), state);
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
