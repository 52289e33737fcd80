package io.penstock.engine.log.postgres;

import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a program that hangs from one that is slow: as long as something about it changes, it is getting on, however
 * long it takes. A clock alone would end the start of a Postgres on a machine that has hardly any processor time for it.
 */
final class HangWatch {

    private final long hungNanos;
    private final LongSupplier clock;
    private @Nullable Object last;
    private long changedAt;

    /** @param hungAfter without any change in between */
    HangWatch(Duration hungAfter, LongSupplier nanoClock) {
        this.hungNanos = hungAfter.toNanos();
        this.clock = nanoClock;
        this.changedAt = nanoClock.getAsLong();
    }

    /** @param signs of life, compared with those of the previous call */
    boolean isHung(Object signs) {
        long now = clock.getAsLong();
        if (!Objects.equals(signs, last)) {
            last = signs;
            changedAt = now;
        }
        return now - changedAt >= hungNanos;
    }

    /** The processor time that these processes have used: a process whose time never grows does nothing. */
    static Duration processorTime(Collection<ProcessHandle> processes) {
        return processes.stream()
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }
}
