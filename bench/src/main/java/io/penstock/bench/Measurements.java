package io.penstock.bench;

import io.penstock.bench.agents.AgentFigures;
import io.penstock.bench.attach.EchoFigures;
import io.penstock.bench.attach.FanoutFigures;
import io.penstock.bench.fetch.FetchCommand;
import io.penstock.bench.fetch.FetchOptions;
import io.penstock.bench.fetch.JoinFigures;
import io.penstock.bench.fetch.RangeFigures;
import io.penstock.bench.fetch.ReaderFigures;
import io.penstock.bench.history.HistoryFigures;
import io.penstock.bench.log.LogFigures;
import io.penstock.bench.rpc.RpcFigures;
import io.penstock.bench.spawn.ShellFigures;
import io.penstock.bench.spawn.SpawnFigures;
import io.penstock.bench.task.BusFigures;
import io.penstock.bench.task.DeltaBench;
import io.penstock.bench.task.FlowFigures;
import io.penstock.bench.task.HopBench;
import io.penstock.bench.task.IdleFigures;
import io.penstock.bench.task.RegistryBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./penstock bench}: all measurements, by name. Without a name, it lists them. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Runs a measurement. Those of JMH take its options, such as -f 2 -i 5 -p bytes=60.",
        synopsisSubcommandLabel = "[NAME]",
        commandListHeading = "What can be measured:%n")
final class Measurements implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Measurements() {}

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    static CommandLine commandLine() {
        var bench = new CommandLine(new Measurements());
        add(
                bench,
                "log",
                "frames/s into Postgres beside the plain insert; latency [frames [rounds]]",
                new CountsCommand(200_000, 5, LogFigures::run));
        add(
                bench,
                "history",
                "lists, polls and a start with a thousand ended tasks and with many, and their removal [tasks]",
                new CountCommand(1_000_000, HistoryFigures::run));
        addJmh(bench, "frames", "JMH: encode, decode and fold one frame", FramesBench.class);
        addJmh(bench, "journal", "JMH: one append to the journal", JournalAppendBench.class);
        addJmh(bench, "append", "JMH: one append to a stream of the complete log", StreamAppendBench.class);
        addJmh(
                bench,
                "commit",
                "JMH: a group of frames, from the append until Postgres has it",
                GroupCommitBench.class);
        addJmh(
                bench,
                "delta",
                "JMH: a piece of output from the program to a follower, beside the bare copy",
                DeltaBench.class);
        add(
                bench,
                "flow",
                "programs that write without a pause: MB/s, frames and processor time [rounds]",
                new CountCommand(FlowFigures.ROUNDS, FlowFigures::run));
        addJmh(bench, "artifact", "JMH: an artifact written, sealed, and read while it grows", ArtifactBench.class);
        addJmh(bench, "registry", "JMH: querying the state of a task", RegistryBench.class);
        addJmh(bench, "hop", "JMH: a request to a verticle's address, beside a direct call", HopBench.class);
        addJmh(bench, "screen", "JMH: output emulated, and its screen as bytes", ScreenBench.class);
        addJmh(bench, "watch", "JMH: a KiB of output read by watchers", WatchBench.class);
        addJmh(bench, "policy", "JMH: a verdict after a hundred rules", PolicyBench.class);
        add(
                bench,
                "bus",
                "frames on the event bus to 100 verticles, beside the bare bus [frames [rounds]]",
                new CountsCommand(BusFigures.FRAMES, BusFigures.ROUNDS, BusFigures::run));
        add(
                bench,
                "spawn",
                "/bin/true from request to end, beside node and task-spooler [tasks [rounds]]",
                new CountsCommand(4000, 5, SpawnFigures::run));
        add(
                bench,
                "shell",
                "shell runs from spawn to polled end in 1 and in 16 sessions beside task-spooler, polls, watchers"
                        + " [runs [rounds]]",
                new CountsCommand(1600, 5, ShellFigures::run));
        add(
                bench,
                "ranges",
                "ranges of a large output over HTTP, beside nginx and node",
                new FetchCommand(new FetchOptions(1L << 30, 3, 5), RangeFigures::run));
        add(
                bench,
                "reader",
                "a program's output to one reader over HTTP as it is written, beside node",
                new FetchCommand(new FetchOptions(1L << 29, 0, 9), ReaderFigures::run));
        add(
                bench,
                "join",
                "a late joiner's complete screen of a terminal that has written much",
                new FetchCommand(new FetchOptions(100_000_000, 1, 2), JoinFigures::run));
        add(
                bench,
                "fanout",
                "a program's output to 100 viewers over WebSockets, beside node",
                new FetchCommand(new FetchOptions(1L << 25, 0, 3), FanoutFigures::many));
        add(
                bench,
                "terminal",
                "a terminal's output to one viewer over a WebSocket, beside node",
                new FetchCommand(new FetchOptions(1L << 27, 0, 7), FanoutFigures::terminal));
        add(
                bench,
                "echo",
                "from a key to its echo over a WebSocket, beside node [rounds]",
                new CountCommand(7, EchoFigures::run));
        add(
                bench,
                "rpc",
                "requests and events of hosts of agent tasks, beside node [rounds]",
                new CountCommand(RpcFigures.ROUNDS, RpcFigures::run));
        add(
                bench,
                "agents",
                "a message of an agent beside a bare pipe, task_join under load, fifty agents at once [rounds]",
                new CountCommand(AgentFigures.ROUNDS, AgentFigures::run));
        add(
                bench,
                "idle",
                "tasks that do nothing: memory and threads of each [tasks]",
                new CountCommand(IdleFigures.TASKS, IdleFigures::run));
        return bench;
    }

    private static void add(CommandLine bench, String name, String description, Object command) {
        var measurement = new CommandLine(command);
        measurement.getCommandSpec().usageMessage().description(description);
        bench.addSubcommand(name, measurement);
    }

    private static void addJmh(CommandLine bench, String name, String description, Class<?> benchmark) {
        add(bench, name, description, new JmhCommand(benchmark));
    }
}
