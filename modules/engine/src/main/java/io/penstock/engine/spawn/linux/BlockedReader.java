package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.Platform;
import io.penstock.engine.spawn.linux.libc.Terminal;
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
 * Checks whether a program waits for typed input: whether a thread of the foreground processes is blocked in a read of the terminal, or
 * in a wait that the terminal's input would end. The contents of the screen do not matter.
 *
 * <p>Programs with the rights of another user, such as those that ask for a password, cannot be inspected this way. They count as
 * waiting if they sleep while the terminal reads lines without echo. If nothing is known, the answer is false.
 */
public final class BlockedReader implements BooleanSupplier {
    /** Enough for a shell with many jobs, or a build: the reader is nearly always the first process or its child. */
    private static final int MAX_PROCESSES = 64;

    /**
     * Reads of /proc, two for each thread. Each takes some 5 µs, so a check takes a few ms at most. A JVM has thirty threads, and an early
     * one reads.
     */
    private static final int MAX_READS = 512;

    /** Descriptors checked per thread: a terminal's are among the lowest. Each costs some 5 µs. */
    private static final int MAX_DESCRIPTORS = 64;

    private static final int CHILDREN_BYTES = 4096;

    /** The device /dev/tty, which stands for the process's own terminal, the one in question here. */
    private static final int OWN_TERMINAL = 5 << 8;

    private final long program;
    private final boolean linesAreHidden;
    private int processesLeft = MAX_PROCESSES;
    private int readsLeft = MAX_READS;

    private static final class Kernel {
        /** False on kernels built without this file, and in some sandboxes that imitate a kernel. */
        static final boolean SHOWS_CALLS =
                Platform.whyNot().isEmpty() && new File("/proc/thread-self/syscall").exists();
    }

    /** @param linesAreHidden {@link Terminal#hidesLines} */
    public BlockedReader(long program, boolean linesAreHidden) {
        this.program = program;
        this.linesAreHidden = linesAreHidden;
    }

    /** Reads /proc: call it once, on a worker. */
    @Override
    public boolean getAsBoolean() {
        Optional<ProcessTable.Row> first = Kernel.SHOWS_CALLS ? ProcessTable.row(program) : Optional.empty();
        return first.isPresent() && first.get().terminal() != 0 && first.get().foreground() > 0 && isRead(first.get());
    }

    /** Checks the leader of the foreground group first, nearly always the reader, then all processes that the program started. */
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
                next.addAll(Subreaper.numbers(children == null ? "" : children));
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
            String syscall = BlockedCall.readSyscall(process.pid(), thread);
            boolean reads = syscall == null
                    ? linesAreHidden && sleeps(process.pid(), thread)
                    : BlockedCall.of(process.pid(), thread, syscall)
                            .filter(call -> waitsFor(call, terminal))
                            .isPresent();
            if (reads) {
                return true;
            }
        }
        return false;
    }

    /** False if the thread has ended. */
    private static boolean sleeps(long pid, String thread) {
        return ProcessTable.thread(pid, thread).map(ProcessTable.Row::sleeps).orElse(false);
    }

    private static boolean waitsFor(BlockedCall call, long terminal) {
        return call.descriptors().stream().limit(MAX_DESCRIPTORS).anyMatch(fd -> isTerminal(call.pid(), fd, terminal))
                && call.isStillBlocked();
    }

    private static boolean isTerminal(long pid, int fd, long terminal) {
        try {
            // Compare devices: the terminal's path depends on the process's root.
            Object device = Files.getAttribute(Path.of("/proc/" + pid + "/fd/" + fd), "unix:rdev");
            return device instanceof Long number && (number == terminal || number == OWN_TERMINAL);
        } catch (IOException e) {
            return false; // closed by now
        }
    }
}
