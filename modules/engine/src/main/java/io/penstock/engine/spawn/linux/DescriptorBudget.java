package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.DescriptorLimit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides whether there are descriptors for another task or connection. A reserve is kept for running tasks: without descriptors the
 * server could neither record how tasks end nor find the processes that they leave. Thread-safe.
 */
public final class DescriptorBudget {

    /** Three pipes with both ends, the descriptor of the exit, and the files of the start. */
    static final int PER_START = 12;

    /** Descriptors open for a moment: files read or written whole, reads of /proc, a connection to Postgres. */
    private static final int MOMENTARY = 32;

    /** The fraction of the limit for output files, which are opened at their first byte, and the same for readers of outputs. */
    private static final int FILES_PART = 8;

    /** Four for the program, and two for the files of its output. */
    private static final int PER_TASK = 6;

    /** Descriptors of the server itself: event loops, journal, classes, connections to Postgres. */
    private static final int SERVER = 256;

    /** Enough for the default numbers of tasks and connections; the hard limit may be a thousand million. */
    private static final int DEFAULT_LIMIT = 16_384;

    private final int limit;
    private final int needed;
    private final Set<String> starting = ConcurrentHashMap.newKeySet();

    /** For the default numbers of tasks and connections. */
    public DescriptorBudget() {
        this(DEFAULT_LIMIT);
    }

    /** @param needed descriptors for all tasks and connections that are allowed at once; see {@link #needed} */
    public DescriptorBudget(int needed) {
        this(DescriptorLimit.soft(), needed);
    }

    DescriptorBudget(int limit, int needed) {
        this.limit = limit;
        this.needed = needed;
    }

    /** The limit at which this many connections and running tasks do not touch the reserve. */
    public static int needed(int connections, int tasks) {
        long inUse = (long) connections + (long) tasks * PER_TASK + SERVER + MOMENTARY;
        return (int) Math.min(Integer.MAX_VALUE, inUse * FILES_PART / (FILES_PART - 2) + FILES_PART);
    }

    /** Raises the limit of this process to the needed number, or to the default if that is higher, as far as it is allowed. */
    public static void raiseLimit(int needed) {
        DescriptorLimit.raise(Math.max(needed, DEFAULT_LIMIT));
    }

    /** Whether the limit is too low, so that tasks and connections are refused before their allowed number is reached. */
    public boolean isShort() {
        return limit < needed;
    }

    public int limit() {
        return limit;
    }

    public int reserve() {
        return MOMENTARY + 2 * (limit / FILES_PART);
    }

    /** The maximum number of open output files. */
    public int files(int wanted) {
        return Math.min(wanted, Math.max(1, limit / FILES_PART));
    }

    /** Whether another connection may be opened. */
    public boolean hasRoom() {
        return hasRoomFor(1);
    }

    private boolean hasRoomFor(int more) {
        return !isShort() || DescriptorLimit.inUse(limit) + starting.size() * PER_START + more <= limit - reserve();
    }

    /** Reserves the descriptors for the start of this task until {@link #endStart}; false if there are not enough. */
    public synchronized boolean reserveStart(String taskId) {
        if (starting.contains(taskId)) {
            return true;
        }
        if (!hasRoomFor(PER_START)) {
            return false;
        }
        starting.add(taskId);
        return true;
    }

    /** Ends the reservation: the task's descriptors are now in use, or its start failed. */
    public void endStart(String taskId) {
        starting.remove(taskId);
    }

    /** The refusal of a new task or connection as a sentence. */
    public String sentence() {
        return "Too many files and connections are open: the limit of descriptors is " + limit + ", and " + reserve()
                + " of them are reserved for running tasks. Try again when some have ended, or start the server with a"
                + " higher limit (ulimit -n, LimitNOFILE=).";
    }
}
