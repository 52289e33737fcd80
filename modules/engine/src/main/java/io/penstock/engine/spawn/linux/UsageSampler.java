package io.penstock.engine.spawn.linux;

import io.penstock.engine.spawn.linux.libc.Platform;
import io.penstock.frames.TaskResourceUsage;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures what the processes of running programs use: those of all programs together in one pass over /proc, on a thread of its own,
 * and less and less often as the programs get older. Thread-safe.
 */
public final class UsageSampler implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(UsageSampler.class);

    /** Most programs have ended by then, and are never measured. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** A plot over a program's life has at least so many points, as far as its usage changes: some 600 for a day. */
    private static final int PER_LIFE = 60;

    /** Between two passes: joins the samples of programs that were started at different moments. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The pause is so many times the processor time of a pass: however many processes there are, at most 2 % of one processor. */
    private static final int PAUSES_PER_PASS = 50;

    private final Set<Watched> programs = new HashSet<>();
    private long wakesNanos;
    private long pausedUntilNanos = System.nanoTime();
    private boolean closed;
    private boolean runs;

    private UsageSampler(boolean closed) {
        this.closed = closed;
    }

    /** A sampler that measures nothing. */
    public static UsageSampler off() {
        return new UsageSampler(true);
    }

    /** Its thread begins with the first program. Measures nothing where the kernel's numbers cannot be read. */
    public static UsageSampler ofThisMachine() {
        return new UsageSampler(Platform.whyNot().isPresent());
    }

    /** A program that is measured until it is stopped. */
    public final class Watched {
        private final long leader;
        private final Consumer<TaskResourceUsage> listener;
        private final long startedNanos = System.nanoTime();
        private long dueNanos = startedNanos + FIRST_NANOS;
        private long sampledNanos = startedNanos;
        private long sampledCpuMs;
        private long measuredCpuMs;
        private long cpuMs;
        private long peakBytes;

        private Watched(long leader, Consumer<TaskResourceUsage> listener) {
            this.leader = leader;
            this.listener = listener;
        }

        public void stop() {
            remove(this);
        }

        /** The time of a process that nobody waited for is lost when it ends; what was measured before stays counted. */
        private void measured(ProcessUsage usage, long now) {
            cpuMs += Math.max(0, usage.cpuMs() - measuredCpuMs);
            measuredCpuMs = usage.cpuMs();
            peakBytes = Math.max(peakBytes, usage.memoryBytes());
            if (now - dueNanos < 0) {
                return;
            }
            long overMs = TimeUnit.NANOSECONDS.toMillis(now - sampledNanos);
            long percent = Math.round(100.0 * (cpuMs - sampledCpuMs) / Math.max(1, overMs));
            sampledNanos = now;
            sampledCpuMs = cpuMs;
            dueNanos = now + intervalNanos(now - startedNanos);
            if (usage.processes() > 0) {
                listener.accept(new TaskResourceUsage(
                        cpuMs, Math.toIntExact(percent), overMs, usage.memoryBytes(), peakBytes, usage.processes()));
            }
        }
    }

    /** The time between two samples of a program of this age. */
    static long intervalNanos(long ageNanos) {
        return Math.clamp(ageNanos / PER_LIFE, FIRST_NANOS, LONGEST_NANOS);
    }

    /**
     * Measures a program from now on.
     *
     * @param leader the program's first process
     * @param listener is called on the sampler's thread, and must not block
     */
    public synchronized Watched watch(long leader, Consumer<TaskResourceUsage> listener) {
        var program = new Watched(leader, listener);
        if (!closed) {
            programs.add(program);
            if (!runs) {
                runs = true;
                Thread.ofPlatform().daemon().name("usage-sampler").start(this::run);
            } else if (program.dueNanos - wakesNanos < 0) {
                notifyAll();
            }
        }
        return program;
    }

    private synchronized void remove(Watched program) {
        programs.remove(program);
    }

    private void run() {
        try {
            for (List<Watched> all = awaitDue(); !all.isEmpty(); all = awaitDue()) {
                sample(all);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** All programs, as soon as one is due; none at the end. */
    private synchronized List<Watched> awaitDue() throws InterruptedException {
        while (!closed) {
            long now = System.nanoTime();
            long left = LONGEST_NANOS;
            for (Watched program : programs) {
                left = Math.min(left, program.dueNanos - now);
            }
            left = Math.max(left, pausedUntilNanos - now);
            if (left <= 0) {
                return List.copyOf(programs);
            }
            wakesNanos = now + left;
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return List.of();
    }

    private void sample(List<Watched> all) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        try {
            Map<Long, ProcessUsage> usage = ProcessUsage.of(
                    all.stream().map(program -> program.leader).collect(Collectors.toUnmodifiableSet()));
            long now = System.nanoTime();
            all.forEach(program -> program.measured(usage.getOrDefault(program.leader, ProcessUsage.NONE), now));
        } catch (RuntimeException e) {
            log.error("What the tasks' processes use cannot be measured", e);
        }
        long used = threads.getCurrentThreadCpuTime() - began;
        pausedUntilNanos = System.nanoTime() + Math.max(PAUSE_NANOS, PAUSES_PER_PASS * used);
    }

    @Override
    public synchronized void close() {
        closed = true;
        programs.clear();
        notifyAll();
    }
}
