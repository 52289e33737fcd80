package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.bench.log.Machine;
import io.penstock.bench.log.Spread;
import io.penstock.engine.bus.FramePublisher;
import io.penstock.engine.bus.FrameSubscription;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.ListenedLog;
import io.penstock.engine.log.StreamWriter;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Prints how many frames per second reach a hundred listening verticles in total: frames appended to an engine's log
 * and published by the engine, compared to the bare bus, which publishes one ready object. The ways take turns.
 */
public final class BusFigures {

    private static final int CONSUMERS = 100;
    public static final int FRAMES = 100_000;
    public static final int ROUNDS = 7;
    private static final double GOAL_MILLIONS = 2;
    private static final String BARE_ADDRESS = "bench.bare";
    private static final DeliveryOptions LOCAL = new DeliveryOptions().setLocalOnly(true);

    private enum Way {
        BARE("the bare bus"),
        ALL("frames of all tasks"),
        ONE("frames of one task");

        private final String says;

        Way(String says) {
            this.says = says;
        }
    }

    private record Run(double millionsPerSecond, double cpuNanos) {}

    private final BenchEngine engine;
    private final Vertx vertx;
    private final int frames;

    private BusFigures(BenchEngine engine, int frames) {
        this.engine = engine;
        this.vertx = engine.vertx();
        this.frames = frames;
    }

    public static void run(int frames, int rounds) throws IOException {
        try (BenchEngine engine = BenchEngine.start()) {
            System.out.println(Machine.now());
            var figures = new BusFigures(engine, frames);
            Map<Way, List<Run>> runs = new EnumMap<>(Way.class);
            for (int round = -1; round < rounds; round++) {
                for (Way way : Way.values()) {
                    Run run = figures.once(way);
                    if (round >= 0) {
                        runs.computeIfAbsent(way, first -> new ArrayList<>()).add(run);
                    }
                }
            }
            System.out.printf(Locale.ROOT, """

                    %,d frames to each of %d verticles that listen; goal %.0f million deliveries/s. Medians (least–most) of %d runs after one

                    what is published          million deliveries/s       processor ns of this process for each
                    """, frames, CONSUMERS, GOAL_MILLIONS, rounds);
            runs.forEach((way, its) -> System.out.printf(
                    "%-22s %24s %29s%n",
                    way.says,
                    Spread.of(its.stream().mapToDouble(Run::millionsPerSecond).toArray()),
                    Spread.of(its.stream().mapToDouble(Run::cpuNanos).toArray())));
            System.out.println();
            System.out.println(Machine.now());
        }
    }

    private Run once(Way way) {
        var pace = new Pace(vertx, frames, CONSUMERS);
        String taskId = UUID.randomUUID().toString();
        var listeners = new ArrayList<Listener>();
        for (int i = 0; i < CONSUMERS; i++) {
            listeners.add(new Listener(pace, way == Way.BARE, handler -> begin(way, taskId, handler)));
        }
        List<Future<String>> deployed =
                listeners.stream().map(vertx::deployVerticle).toList();
        await(Future.all(deployed));
        FrameLog log = new ListenedLog(engine.engine().ledger().frames(), List.of(new FramePublisher(vertx)));
        StreamWriter writer = await(log.create(StreamId.task(taskId)));
        var body = new ToolTaskOutputDelta(Channel.PTY, 1_000_000, 1000, 1_001_000);
        long now = System.currentTimeMillis();
        var ready = new Frame(writer.stream(), 0, now, body);
        Runnable publish = way == Way.BARE
                ? () -> vertx.eventBus().publish(BARE_ADDRESS, ready, LOCAL)
                : () -> writer.append(now, body);
        long cpu = FlowFigures.cpuNanos();
        long begun = System.nanoTime();
        await(pace.run(publish));
        double nanos = System.nanoTime() - begun;
        double cpuNanos = FlowFigures.cpuNanos() - cpu;
        listeners.forEach(Listener::check);
        writer.close();
        await(Future.all(
                deployed.stream().map(id -> vertx.undeploy(id.result())).toList()));
        double deliveries = (double) pace.frames() * CONSUMERS;
        return new Run(1e3 * deliveries / nanos, cpuNanos / deliveries);
    }

    /** Subscribes as a user of each way would; returns how to unsubscribe. */
    private Future<Listener.End> begin(Way way, String taskId, Handler<Frame> handler) {
        return switch (way) {
            case BARE -> {
                MessageConsumer<Frame> consumer =
                        vertx.eventBus().localConsumer(BARE_ADDRESS, message -> handler.handle(message.body()));
                yield consumer.completion().map(begun -> consumer::unregister);
            }
            case ALL -> FrameSubscription.toAll(vertx, handler).map(begun -> begun::cancel);
            case ONE -> FrameSubscription.toTask(vertx, taskId, handler).map(begun -> begun::cancel);
        };
    }
}
