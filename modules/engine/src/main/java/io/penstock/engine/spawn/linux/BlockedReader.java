package io.penstock.engine.spawn.linux;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * A look at whether a program waits for what is typed on its terminal: whether a thread of those in the foreground is blocked in the
 * kernel, in a read of that terminal or in a wait that its input would end. What is to be seen on the screen is not asked.
 *
 * <p>Programs that run with the rights of another user, such as those that ask for a password, may not be looked at so. They wait if
 * they sleep while the terminal takes lines that it does not show. Where nothing can be known, they do not.
 */
public final class BlockedReader implements BooleanSupplier {
    /** A shell with many jobs, or a build: who reads is nearly always the first or its child. */
    private static final int PROCESSES = 64;

    /** What is asked of threads, two things of each. Some 5 µs each, so a look takes no longer than a few ms. A JVM has thirty, of which an early one reads. */
    private static final int READS = 512;

    /** Of those that one thread waits for: a terminal's are among the lowest. Each costs some 5 µs. */
    private static final int DESCRIPTORS = 64;

    private static final int CHILDREN_BYTES = 4096;

    /** /dev/tty, which is whatever terminal the process has: here, the one that is looked at. */
    private static final int OWN_TERMINAL = 5 << 8;

    private final long program;
    private final boolean linesAreHidden;
    private int processesLeft = PROCESSES;
    private int readsLeft = READS;

    private static final class Kernel {
        /** One built without it, and some sandboxes that only look like one, tell nothing of calls. */
        static final boolean TELLS_CALLS =
                Platform.whyNot().isEmpty() && new File("/proc/thread-self/syscall").exists();
    }

    /** @param linesAreHidden {@link Terminal#hidesLines} */
    public BlockedReader(long program, boolean linesAreHidden) {
        this.program = program;
        this.linesAreHidden = linesAreHidden;
    }

    /** Reads /proc, so it is for a worker. To be asked once. */
    @Override
    public boolean getAsBoolean() {
        Optional<ProcessTable.Row> first = Kernel.TELLS_CALLS ? ProcessTable.row(program) : Optional.empty();
        return first.isPresent() && first.get().terminal() != 0 && first.get().foreground() > 0 && isRead(first.get());
    }

    /** Looks at the leader of the group in the foreground first, which is nearly always the one, then at all that the program has started. */
    private boolean isRead(ProcessTable.Row first) {
        var next = new ArrayDeque<>(List.of(first.foreground(), program));
        Set<Long> seen = new HashSet<>();
        while (!next.isEmpty() && processesLeft > 0 && readsLeft > 0) {
            long pid = next.remove();
            if (!seen.add(pid)) {
                continue;
            }
            processesLeft--;
            ProcessTable.Row process =
                    pid == program ? first : ProcessTable.row(pid).orElse(null);
            if (process == null) {
                continue;
            }
            String[] threads = threads(process);
            if (process.terminal() == first.terminal()
                    && process.group() == first.foreground()
                    && isReadBy(process, threads, first.terminal())) {
                return true;
            }
            for (int i = 0; i < threads.length && next.size() < processesLeft && readsLeft-- > 0; i++) {
                String children =
                        ProcFile.read("/proc/" + pid + "/task/" + threads[i] + "/children", CHILDREN_BYTES, 1);
                next.addAll(Adoption.numbers(children == null ? "" : children));
            }
        }
        return false;
    }

    private static String[] threads(ProcessTable.Row process) {
        String[] all = process.threads() == 1
                ? new String[] {Long.toString(process.pid())}
                : new File("/proc/" + process.pid() + "/task").list();
        return all == null ? new String[0] : all;
    }

    private boolean isReadBy(ProcessTable.Row process, String[] threads, long terminal) {
        for (String thread : threads) {
            if (readsLeft-- <= 0) {
                return false;
            }
            String told = BlockedCall.told(process.pid(), thread);
            boolean reads = told == null
                    ? linesAreHidden && sleeps(process.pid(), thread)
                    : BlockedCall.of(process.pid(), thread, told)
                            .filter(call -> waitsFor(call, terminal))
                            .isPresent();
            if (reads) {
                return true;
            }
        }
        return false;
    }

    /** False of one that has gone. */
    private static boolean sleeps(long pid, String thread) {
        return ProcessTable.thread(pid, thread).map(ProcessTable.Row::sleeps).orElse(false);
    }

    private static boolean waitsFor(BlockedCall call, long terminal) {
        return call.descriptors().stream().limit(DESCRIPTORS).anyMatch(fd -> isTerminal(call.pid(), fd, terminal))
                && call.goesOn();
    }

    private static boolean isTerminal(long pid, int fd, long terminal) {
        try {
            // By its device: what it is called depends on where a process has its root.
            Object device = Files.getAttribute(Path.of("/proc/" + pid + "/fd/" + fd), "unix:rdev");
            return device instanceof Long number && (number == terminal || number == OWN_TERMINAL);
        } catch (IOException e) {
            return false; // closed by now
        }
    }
}
