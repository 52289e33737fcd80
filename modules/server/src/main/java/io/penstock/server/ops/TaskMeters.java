package io.penstock.server.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.penstock.engine.log.FrameListener;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameType;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts task events by their frames, so that the metrics agree with the record. All label values come from enums, so
 * the number of series is bounded however many tasks there are.
 */
public final class TaskMeters implements FrameListener.Source {

    private final AtomicInteger unfinished = new AtomicInteger();
    private final Map<FrameType, Counter> frames;
    private final Map<Channel, Counter> outputBytes;
    private final Map<Outcome, Counter> ended;
    private final DistributionSummary deltaBytes;
    private final Timer toStart;
    private final Timer runTime;

    public TaskMeters(MeterRegistry registry) {
        registry.gauge("penstock.tasks.unfinished", unfinished);
        frames = counters(
                FrameType.class,
                type -> Counter.builder("penstock.frames")
                        .description("Frames accepted by the log")
                        .tag("type", type == FrameType.UNKNOWN ? "unknown" : type.wireName())
                        .register(registry));
        outputBytes = counters(
                Channel.class,
                channel -> Counter.builder("penstock.output")
                        .description("Bytes that programs have written")
                        .baseUnit("bytes")
                        .tag("stream", channel.wireName())
                        .register(registry));
        ended = counters(
                Outcome.class,
                outcome -> Counter.builder("penstock.tasks.ended")
                        .description("Tasks whose end was recorded")
                        .tag("outcome", outcome.wireName())
                        .register(registry));
        deltaBytes = DistributionSummary.builder("penstock.delta")
                .description("Size of the pieces in which output is recorded")
                .baseUnit("bytes")
                .serviceLevelObjectives(64, 512, 4096, 16_384, 65_536)
                .register(registry);
        toStart = Timer.builder("penstock.task.start")
                .description("From the acceptance of a task to its program running")
                .serviceLevelObjectives(
                        Duration.ofMillis(1),
                        Duration.ofMillis(5),
                        Duration.ofMillis(25),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1))
                .register(registry);
        runTime = Timer.builder("penstock.task.run")
                .description("From the start of a program to its recorded end")
                .serviceLevelObjectives(
                        Duration.ofMillis(10),
                        Duration.ofMillis(100),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(10),
                        Duration.ofHours(1))
                .register(registry);
    }

    private static <E extends Enum<E>> Map<E, Counter> counters(Class<E> type, Function<E, Counter> counter) {
        var counters = new EnumMap<E, Counter>(type);
        for (E each : type.getEnumConstants()) {
            counters.put(each, counter.apply(each));
        }
        return counters;
    }

    @Override
    public FrameListener of(StreamId stream) {
        return new OfOneTask();
    }

    /** The state needed to time one task. */
    private final class OfOneTask implements FrameListener {
        private long spawnedAtMs = -1;
        private boolean isStarted;

        @Override
        public void accepted(Frame frame) {
            count(frames.get(frame.body().type()), 1);
            switch (frame.body()) {
                case ToolTaskOutputDelta delta -> {
                    count(outputBytes.get(delta.channel()), delta.bytes());
                    deltaBytes.record(delta.bytes());
                }
                case ToolTaskSpawned _ -> {
                    spawnedAtMs = frame.timestampMs();
                    unfinished.incrementAndGet();
                }
                case ToolTaskStatus status -> status(frame, status);
                default -> {}
            }
        }

        private void status(Frame frame, ToolTaskStatus status) {
            Long startedAtMs = status.startedAtMs();
            if (status.phase() == Phase.RUNNING && startedAtMs != null && spawnedAtMs >= 0 && !isStarted) {
                isStarted = true;
                record(toStart, startedAtMs - spawnedAtMs);
            }
            if (status.ending() != null) {
                count(ended.get(status.ending().outcome()), 1);
                if (startedAtMs != null) {
                    record(runTime, frame.timestampMs() - startedAtMs);
                }
                if (spawnedAtMs >= 0) {
                    spawnedAtMs = -1;
                    unfinished.decrementAndGet();
                }
            }
        }
    }

    /** A clock that was set back does not yield negative times. */
    private static void record(Timer timer, long ms) {
        timer.record(Math.max(0, ms), TimeUnit.MILLISECONDS);
    }

    private static void count(@Nullable Counter counter, double amount) {
        if (counter != null) {
            counter.increment(amount);
        }
    }
}
