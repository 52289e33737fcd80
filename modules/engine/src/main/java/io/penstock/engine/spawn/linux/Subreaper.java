package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.Children;
import java.io.File;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes this process, in place of init, the parent of its orphaned descendants. So every process that a program leaves alive, even a
 * daemon in its own session, is among this process's children; without such children nothing is left. That takes one read of a list in
 * the kernel instead of a scan of all processes.
 *
 * <p>The kernel assigns orphans to the first thread of a process, which in the JVM only waits. Children started by this process belong
 * to the thread that started them, until that thread ends.
 */
public final class Subreaper {

    /** Other code in this process may wait for programs in the server's own session; it gets this much time to reap them. */
    private static final long OTHERS_REAP_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long REAP_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A number has at most seven digits, so this holds some hundred children. With more, the quick check fails anyway. */
    private static final int QUICK_READ_BYTES = 4096;

    private static final int READ_BYTES = 64 * 1024;
    private static final long SELF = ProcessHandle.current().pid();
    private static final String OUR_CHILDREN = "/proc/" + SELF + "/task/" + SELF + "/children";

    /** Started by this server and reaped by their own watchers, whatever thread they belong to. */
    private static final Set<Long> OWN = ConcurrentHashMap.newKeySet();

    private static final class Only {
        static final Optional<Subreaper> SUBREAPER = start();
    }

    private final long ownSession;
    private final Map<Long, Long> deadSinceNanos = new HashMap<>();

    /** Odd while reaping removes children from the list: a concurrent reader may miss live ones. */
    private final AtomicLong reaps = new AtomicLong();

    private Subreaper(long ownSession) {
        this.ownSession = ownSession;
    }

    /** The subreaper of this process, started on first use and never stopped; empty if the kernel does not list children. */
    public static Optional<Subreaper> ofThisProcess() {
        return Only.SUBREAPER;
    }

    private static Optional<Subreaper> start() {
        Optional<ProcessTable.Row> self = ProcessTable.row(SELF);
        if (self.isEmpty()
                || self.get().ended()
                || ProcFile.read(OUR_CHILDREN, READ_BYTES, ProcFile.ALL) == null
                || !Children.adopt()) {
            return Optional.empty();
        }
        var subreaper = new Subreaper(self.get().session());
        Thread.ofPlatform().daemon().name("orphans").start(subreaper::reapForever);
        return Optional.of(subreaper);
    }

    /** Called by the thread that has started the child, at once. */
    static void started(long pid) {
        OWN.add(pid);
    }

    static void reaped(long pid) {
        OWN.remove(pid);
    }

    /** Whether no ended program can have left a process alive. Takes some microseconds, so an event loop may call it. */
    boolean hasNoOrphans() {
        long before = reaps.get();
        List<Long> children = before % 2 == 0 ? children(OUR_CHILDREN, QUICK_READ_BYTES) : null;
        return children != null && OWN.containsAll(children) && reaps.get() == before;
    }

    /** Reports, among the orphans and their descendants, each process that passes the test, with its descendants, once found. */
    void living(Predicate<ProcessTable.Row> test, Consumer<ProcessTable.Row> found) {
        orphans().forEach(orphan -> report(orphan, test, found));
    }

    /** Reports all descendants of a process. */
    static void below(long pid, Consumer<ProcessTable.Row> found) {
        childrenOf(pid).forEach(child -> report(child, any -> true, found));
    }

    private static void report(long pid, Predicate<ProcessTable.Row> test, Consumer<ProcessTable.Row> found) {
        ProcessTable.Row row = ProcessTable.row(pid).orElse(null);
        if (row == null || row.ended()) {
            return; // its children have another parent by now
        }
        boolean passes = test.test(row);
        // Read before the report: the consumer may kill the process, which takes its children away.
        List<Long> children = childrenOf(pid);
        if (passes) {
            found.accept(row);
        }
        children.forEach(child -> report(child, passes ? any -> true : test, found));
    }

    private static List<Long> childrenOf(long pid) {
        List<Long> children = new ArrayList<>();
        String[] threads = new File("/proc/" + pid + "/task").list();
        for (String thread : threads == null ? new String[0] : threads) {
            List<Long> some = children("/proc/" + pid + "/task/" + thread + "/children", READ_BYTES);
            children.addAll(some == null ? List.of() : some);
        }
        return children;
    }

    /**
     * The live orphans; dead ones are reaped on the way. Only this method reaps orphans, so while it runs the list only grows, and no
     * number in it is reused.
     */
    private synchronized List<Long> orphans() {
        // Read before the list: otherwise a program reaped in between would be taken for an orphan.
        Set<Long> own = Set.copyOf(OWN);
        List<Long> children = children(OUR_CHILDREN, READ_BYTES);
        List<Long> living = new ArrayList<>();
        Map<Long, Long> dead = new HashMap<>();
        reaps.incrementAndGet();
        try {
            for (long child : children == null ? List.<Long>of() : children) {
                if (!own.contains(child) && !reapIfDead(child, dead)) {
                    living.add(child);
                }
            }
        } finally {
            reaps.incrementAndGet();
        }
        deadSinceNanos.clear();
        deadSinceNanos.putAll(dead);
        return living;
    }

    /** Returns whether the child is dead. Reads /proc for few of them: after a fork bomb there are thousands. */
    private boolean reapIfDead(long child, Map<Long, Long> dead) {
        // Descendants of tasks are in other sessions. Programs in this session may have been started by other code,
        // which reaps them.
        if (Children.session((int) child) != ownSession) {
            return Children.reapEnded((int) child).isPresent();
        }
        if (!ProcessTable.row(child).map(ProcessTable.Row::ended).orElse(true)) {
            return false;
        }
        long since = deadSinceNanos.getOrDefault(child, System.nanoTime());
        if (System.nanoTime() - since > OTHERS_REAP_WITHIN_NANOS) {
            Children.reapEnded((int) child);
        } else {
            dead.put(child, since);
        }
        return true;
    }

    private void reapForever() {
        while (true) {
            LockSupport.parkNanos(REAP_INTERVAL_NANOS);
            if (!hasNoOrphans()) {
                orphans();
            }
        }
    }

    /** Null if the list cannot be read, as that of an ended process. */
    private static @Nullable List<Long> children(String list, int bytes) {
        String text = ProcFile.read(list, bytes, ProcFile.ALL);
        return text == null ? null : numbers(text);
    }

    /** Parses a list of children; a space follows each number. */
    static List<Long> numbers(String list) {
        List<Long> numbers = new ArrayList<>();
        int from = 0;
        for (int space = list.indexOf(' '); space >= 0; space = list.indexOf(' ', from)) {
            numbers.add(Long.parseLong(list, from, space, 10));
            from = space + 1;
        }
        return numbers;
    }
}
