package io.penstock.engine.spawn.linux;

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
 * Makes this process, in place of init, the parent of whatever has lost its own. So all that programs leave alive is found among
 * our children, also a daemon in a session of its own, and where there is none of those, nothing is left: one look at a list that
 * the kernel keeps, and no search through all processes of the machine.
 *
 * <p>The kernel gives orphans to the first thread of a process, which the JVM lets only wait. Children that we or anybody else
 * in this process have started are another thread's, until that one ends.
 */
public final class Adoption {

    /** Programs of a server's own session that others here may wait for themselves are buried only after they had the time. */
    private static final long OTHERS_BURY_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long BURY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A number has at most seven digits: some hundred children. With more, there is more than one look to be taken anyway. */
    private static final int GLANCE_BYTES = 4096;

    private static final int READ_BYTES = 64 * 1024;
    private static final long SELF = ProcessHandle.current().pid();
    private static final String OUR_CHILDREN = "/proc/" + SELF + "/task/" + SELF + "/children";

    /** Started by us and waited for by their own watchers, whatever thread they belong to. */
    private static final Set<Long> OWN = ConcurrentHashMap.newKeySet();

    private static final class Only {
        static final Optional<Adoption> ADOPTION = begin();
    }

    private final long ownSession;
    private final Map<Long, Long> deadSinceNanos = new HashMap<>();

    /** Odd while some are taken off the list, which who reads it meanwhile may see shortened from the wrong end. */
    private final AtomicLong burials = new AtomicLong();

    private Adoption(long ownSession) {
        this.ownSession = ownSession;
    }

    /** For as long as this process lives; empty where the kernel does not list children. */
    public static Optional<Adoption> ofThisProcess() {
        return Only.ADOPTION;
    }

    private static Optional<Adoption> begin() {
        Optional<ProcessTable.Row> self = ProcessTable.row(SELF);
        if (self.isEmpty()
                || self.get().ended()
                || ProcFile.read(OUR_CHILDREN, READ_BYTES, ProcFile.ALL) == null
                || !Children.adopt()) {
            return Optional.empty();
        }
        var adoption = new Adoption(self.get().session());
        Thread.ofPlatform().daemon().name("orphans").start(adoption::buryForEver);
        return Optional.of(adoption);
    }

    /** To be said by the thread that has started it, at once. */
    static void started(long pid) {
        OWN.add(pid);
    }

    static void reaped(long pid) {
        OWN.remove(pid);
    }

    /** Whether no program that has ended can have left anything alive. Some microseconds, so it may be asked on an event loop. */
    boolean hasNobody() {
        long before = burials.get();
        List<Long> children = before % 2 == 0 ? children(OUR_CHILDREN, GLANCE_BYTES) : null;
        return children != null && OWN.containsAll(children) && burials.get() == before;
    }

    /** Tells of all that was adopted, and of what is below it, those that the test holds for, and what is below those; each at once. */
    void living(Predicate<ProcessTable.Row> test, Consumer<ProcessTable.Row> found) {
        orphans().forEach(orphan -> tell(orphan, test, found));
    }

    /** Tells of all below a process. */
    static void below(long pid, Consumer<ProcessTable.Row> found) {
        childrenOf(pid).forEach(child -> tell(child, any -> true, found));
    }

    private static void tell(long pid, Predicate<ProcessTable.Row> test, Consumer<ProcessTable.Row> found) {
        ProcessTable.Row row = ProcessTable.row(pid).orElse(null);
        if (row == null || row.ended()) {
            return; // its children are somebody else's by now
        }
        boolean held = test.test(row);
        // Asked first: who is told of it may kill it, and then they are not below it any more.
        List<Long> children = childrenOf(pid);
        if (held) {
            found.accept(row);
        }
        children.forEach(child -> tell(child, held ? any -> true : test, found));
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
     * The living; the dead are buried on the way. Nobody else buries an orphan, so while this goes on the list only grows, and a
     * number in it cannot become another's.
     */
    private synchronized List<Long> orphans() {
        // Asked first: one of ours that is reaped behind this would else be taken for an orphan.
        Set<Long> own = Set.copyOf(OWN);
        List<Long> children = children(OUR_CHILDREN, READ_BYTES);
        List<Long> living = new ArrayList<>();
        Map<Long, Long> dead = new HashMap<>();
        burials.incrementAndGet();
        try {
            for (long child : children == null ? List.<Long>of() : children) {
                if (!own.contains(child) && !isBuried(child, dead)) {
                    living.add(child);
                }
            }
        } finally {
            burials.incrementAndGet();
        }
        deadSinceNanos.clear();
        deadSinceNanos.putAll(dead);
        return living;
    }

    /** Without a look into /proc for most: after a bomb there are thousands. */
    private boolean isBuried(long child, Map<Long, Long> dead) {
        // What a program of ours started is in another session; who runs programs by other means here, reaps them.
        if (Children.session((int) child) != ownSession) {
            return Children.reapEnded((int) child).isPresent();
        }
        if (!ProcessTable.row(child).map(ProcessTable.Row::ended).orElse(true)) {
            return false;
        }
        long since = deadSinceNanos.getOrDefault(child, System.nanoTime());
        if (System.nanoTime() - since > OTHERS_BURY_WITHIN_NANOS) {
            Children.reapEnded((int) child);
        } else {
            dead.put(child, since);
        }
        return true;
    }

    private void buryForEver() {
        while (true) {
            LockSupport.parkNanos(BURY_EVERY_NANOS);
            if (!hasNobody()) {
                orphans();
            }
        }
    }

    /** Null if it cannot be read, as of a process that has gone. */
    private static @Nullable List<Long> children(String list, int bytes) {
        String text = ProcFile.read(list, bytes, ProcFile.ALL);
        return text == null ? null : numbers(text);
    }

    /** The numbers in a list of children, each with a space behind it. */
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
