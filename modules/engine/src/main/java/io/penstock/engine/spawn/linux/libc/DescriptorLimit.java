package io.penstock.engine.spawn.linux.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The limit of this process's descriptors, and the number in use. */
public final class DescriptorLimit {

    private static final int RLIMIT_NOFILE = 7;
    private static final int POLLFD_BYTES = 8;
    private static final int POLLFD_ANSWER = 6;
    private static final short POLLNVAL = 0x20;

    private static final int THIS_PROCESS = 0;

    /** The two values of RLIMIT_NOFILE. */
    private record Limits(long soft, long hard) {}

    /** The limits that this process was started with; null while they are in force. */
    private static volatile @Nullable Limits original;

    private DescriptorLimit() {}

    /**
     * Raises the soft limit of this process to this number, or to the hard limit if that is lower. Has no effect if the JVM has raised it
     * to the hard limit already, as it does unless started with -XX:-MaxFDLimit.
     */
    public static void raise(int to) {
        if (Platform.whyNot().isPresent()) {
            return;
        }
        Limits now = change(THIS_PROCESS, null);
        if (now == null || now.soft() < 0) {
            return;
        }
        // A negative hard limit means no limit.
        long wanted = now.hard() < 0 ? to : Math.min(to, now.hard());
        if (now.soft() < wanted && change(THIS_PROCESS, new Limits(wanted, now.hard())) != null) {
            original = original == null ? now : original;
        }
    }

    /**
     * Gives a child the limits that this process was started with: some programs fail with a higher limit, or close every descriptor
     * below it. A program that looks within its first microseconds may still see the raised limit. No limit is changed if the child has
     * ended already: its number is not given to another process so soon.
     */
    public static void restoreOriginal(long child) {
        Limits limits = original;
        if (limits != null) {
            change((int) child, limits);
        }
    }

    /** The previous limits, or null if they cannot be read or changed. */
    private static @Nullable Limits change(int pid, @Nullable Limits to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment after = MemorySegment.NULL;
            if (to != null) {
                after = arena.allocateFrom(JAVA_LONG, to.soft(), to.hard());
            }
            MemorySegment before = arena.allocate(JAVA_LONG, 2);
            MemorySegment state = Libc.state();
            int answer = (int) Libc.PRLIMIT.invokeExact(state, pid, RLIMIT_NOFILE, after, before);
            return answer < 0 ? null : new Limits(before.getAtIndex(JAVA_LONG, 0), before.getAtIndex(JAVA_LONG, 1));
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }

    /** The soft limit; {@link Integer#MAX_VALUE} if there is none that could be reached, or if it is unknown. */
    public static int soft() {
        if (Platform.whyNot().isPresent()) {
            return Integer.MAX_VALUE;
        }
        Limits limits = change(THIS_PROCESS, null);
        return limits == null || limits.soft() < 0 || limits.soft() > Integer.MAX_VALUE
                ? Integer.MAX_VALUE
                : (int) limits.soft();
    }

    /**
     * The number of descriptors in use below the limit. Uses poll, because reading /proc/self/fd needs a descriptor itself and fails in an
     * undumpable process. Takes some tens of nanoseconds for each number.
     */
    public static int inUse(int limit) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate((long) limit * POLLFD_BYTES, Integer.BYTES);
            for (int number = 0; number < limit; number++) {
                all.set(JAVA_INT, (long) number * POLLFD_BYTES, number);
            }
            MemorySegment state = Libc.state();
            int ignored = (int) Libc.POLL.invokeExact(state, all, (long) limit, 0);
            int inUse = 0;
            for (int number = 0; number < limit; number++) {
                boolean closed = (all.get(JAVA_SHORT, (long) number * POLLFD_BYTES + POLLFD_ANSWER) & POLLNVAL) != 0;
                inUse += closed ? 0 : 1;
            }
            return inUse;
        } catch (Throwable e) {
            throw Libc.unexpected(e);
        }
    }
}
