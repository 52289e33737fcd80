package io.penstock.bench;

import io.penstock.bench.attach.EchoFigures;
import io.penstock.bench.attach.FanoutFigures;
import io.penstock.bench.fetch.RangeFigures;
import io.penstock.bench.fetch.ReaderFigures;
import io.penstock.bench.log.LogFigures;
import io.penstock.bench.spawn.SpawnFigures;
import io.penstock.bench.task.BusFigures;
import io.penstock.bench.task.DeltaBench;
import io.penstock.bench.task.FlowFigures;
import io.penstock.bench.task.IdleFigures;
import io.penstock.bench.task.RegistryBench;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What can be measured, each by its name. */
final class Measurements {

    private interface Measurement {
        void run(List<String> arguments) throws Exception;
    }

    private record Named(String says, Measurement measurement) {}

    private static final Set<String> HELP = Set.of("-h", "--help", "help");
    private static final Map<String, Named> ALL = new LinkedHashMap<>();

    static {
        add("log", "frames/s into Postgres beside the plain insert; latency [frames [rounds]]", LogFigures::run);
        addJmh("frames", "JMH: encode, decode and fold one frame", FramesBench.class);
        addJmh("journal", "JMH: one append to the journal", JournalAppendBench.class);
        addJmh("append", "JMH: one append to a stream of the log, all of it", StreamAppendBench.class);
        addJmh("commit", "JMH: a group of frames, from the append until Postgres has it", GroupCommitBench.class);
        addJmh(
                "delta",
                "JMH: a piece of output from the program to a follower, beside the bare copy",
                DeltaBench.class);
        add("flow", "programs that write without a pause: MB/s, frames and processor time [rounds]", FlowFigures::run);
        addJmh("artifact", "JMH: an artifact written, sealed, and read while it grows", ArtifactBench.class);
        addJmh("registry", "JMH: being told the state of a task", RegistryBench.class);
        addJmh("policy", "JMH: a verdict after a hundred rules", PolicyBench.class);
        add("bus", "frames on the event bus to 100 verticles, beside the bare bus [frames [rounds]]", BusFigures::run);
        add("spawn", "/bin/true from request to end, beside node and task-spooler [tasks [rounds]]", SpawnFigures::run);
        add(
                "ranges",
                "ranges of a large output over HTTP, beside nginx and node [--bytes N --seconds S --rounds R]",
                RangeFigures::run);
        add(
                "reader",
                "a program's output to one reader over HTTP as it is written, beside node [--bytes N --rounds R]",
                ReaderFigures::run);
        add(
                "fanout",
                "a program's output to 100 viewers over WebSockets, beside node [--bytes N --rounds R]",
                FanoutFigures::many);
        add(
                "terminal",
                "a terminal's output to one viewer over a WebSocket, beside node [--bytes N --rounds R]",
                FanoutFigures::terminal);
        add("echo", "from a key to its echo over a WebSocket, beside node [rounds]", EchoFigures::run);
        add("idle", "tasks that do nothing: memory and threads of each [tasks]", IdleFigures::run);
    }

    private Measurements() {}

    private static void add(String name, String says, Measurement measurement) {
        ALL.put(name, new Named(says, measurement));
    }

    private static void addJmh(String name, String says, Class<?> benchmark) {
        add(name, says, arguments -> JmhFigures.run(benchmark, arguments));
    }

    /** Runs the one that the first word names; the others are its arguments. Answers the exit code. */
    static int main(List<String> words) throws Exception {
        if (words.isEmpty() || HELP.contains(words.getFirst())) {
            System.out.println("What can be measured (those of JMH take its options, such as -f 2 -i 5 -p bytes=60):");
            ALL.forEach((name, named) -> System.out.printf("  %-8s %s%n", name, named.says()));
            return 0;
        }
        Named named = ALL.get(words.getFirst());
        if (named == null) {
            System.err.println("penstock: there is no measurement '" + words.getFirst() + "'; there are "
                    + String.join(", ", ALL.keySet()) + ".");
            return 2;
        }
        try {
            named.measurement().run(words.subList(1, words.size()));
            return 0;
        } catch (IllegalArgumentException e) {
            System.err.println("penstock: " + e.getMessage());
            return 2;
        }
    }
}
