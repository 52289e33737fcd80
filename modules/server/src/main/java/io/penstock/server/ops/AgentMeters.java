package io.penstock.server.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.penstock.engine.log.FrameListener;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskTurnSettled;
import io.penstock.frames.TaskUsage;
import io.penstock.frames.ToolTaskSpawned;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what agents do, by profile and model. Models are named by callers, so the number of series is limited: when it is reached, others are
 * counted as {@code other}.
 */
public final class AgentMeters implements FrameListener.Source {

    /** Pairs of profile and model: more than people configure, few enough for a scrape. */
    private static final int PAIRS = 32;

    /** Tasks whose profile is remembered for their later runs. */
    private static final int TASKS = 10_000;

    private static final String OTHER = "other";

    private record Pair(String profile, String model) {
        static Pair of(AgentSpec agent) {
            return new Pair(agent.profile(), agent.model() == null ? "default" : agent.model());
        }
    }

    private static final class Counters {
        final Counter turns;
        final Counter toolCalls;
        final Counter inputTokens;
        final Counter outputTokens;
        final Counter cost;

        Counters(MeterRegistry registry, Pair of) {
            turns = counter(registry, of, "penstock.agent.turns", "Turns that agents have settled");
            toolCalls = counter(registry, of, "penstock.agent.tool.calls", "Tool calls that agents have begun");
            inputTokens = counter(registry, of, "penstock.agent.input.tokens", "Input tokens, as agents report them");
            outputTokens =
                    counter(registry, of, "penstock.agent.output.tokens", "Output tokens, as agents report them");
            cost = counter(registry, of, "penstock.agent.cost.usd", "Cost in US dollars, as agents report it");
        }

        private static Counter counter(MeterRegistry registry, Pair of, String name, String description) {
            return Counter.builder(name)
                    .description(description)
                    .tag("profile", of.profile())
                    .tag("model", of.model())
                    .register(registry);
        }
    }

    private final MeterRegistry registry;
    private final Map<Pair, Counters> pairs = new HashMap<>();
    private final Map<StreamId, Counters> tasks = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StreamId, Counters> eldest) {
            return size() > TASKS;
        }
    };

    public AgentMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public FrameListener of(StreamId stream) {
        return new OfOneTask(stream);
    }

    private synchronized Counters begin(StreamId task, AgentSpec agent) {
        Pair pair = Pair.of(agent);
        boolean fits = pairs.containsKey(pair) || pairs.size() < PAIRS;
        Counters counters =
                pairs.computeIfAbsent(fits ? pair : new Pair(OTHER, OTHER), named -> new Counters(registry, named));
        tasks.put(task, counters);
        return counters;
    }

    private synchronized @Nullable Counters known(StreamId task) {
        return tasks.get(task);
    }

    private final class OfOneTask implements FrameListener {
        private final StreamId task;
        private @Nullable Counters counters;

        OfOneTask(StreamId task) {
            this.task = task;
        }

        @Override
        public void accepted(Frame frame) {
            switch (frame.body()) {
                case ToolTaskSpawned spawned when spawned.agent() != null -> counters = begin(task, spawned.agent());
                case TaskTurnSettled _ -> count(1, 0, 0, 0, 0);
                case TaskAgentToolCall call
                when call.status() == TaskAgentToolCall.Status.PENDING -> count(0, 1, 0, 0, 0);
                case TaskUsage used -> count(0, 0, used.inputTokens(), used.outputTokens(), used.costMicroUsd() / 1e6);
                default -> {}
            }
        }

        private void count(int turns, int calls, long input, long output, double usd) {
            Counters counted = counters == null ? known(task) : counters;
            if (counted != null) {
                counters = counted;
                counted.turns.increment(turns);
                counted.toolCalls.increment(calls);
                counted.inputTokens.increment(input);
                counted.outputTokens.increment(output);
                counted.cost.increment(usd);
            }
        }
    }
}
