package io.penstock.server;

import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.engine.spawn.linux.libc.ProcessMemory;
import io.penstock.frames.Containment;
import io.penstock.server.config.Configuration;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts the server and runs it until it is stopped. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        version = "Penstock " + Main.VERSION,
        sortOptions = false,
        description = "Starts the server and runs it until Ctrl-C.",
        footer = {
            "",
            "Without --database, the server starts and stops an embedded Postgres, whose",
            "data is in the data directory (Linux on x86-64 and aarch64).",
            "Environment: PGUSER and PGPASSWORD are used if nothing else gives a user or",
            "password; PENSTOCK_JAVA_OPTS adds options for the JVM."
        })
final class Up implements Callable<Integer> {

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7341",
            description = "port to listen on; 0 chooses a free one (default: ${DEFAULT-VALUE})")
    private int port = 7341;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "address to listen on (default: ${DEFAULT-VALUE}, this machine only)")
    private String host = "127.0.0.1";

    @Option(
            names = "--rpc-port",
            paramLabel = "PORT",
            description = {
                "port for hosts of agent tasks, one JSON object per line, usually 19384; see docs/taskd.md.",
                "0 chooses a free one. Default: none"
            })
    private @Nullable Integer rpcPort;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "data directory (default: penstock in your system's folder for application data)")
    private @Nullable Path data;

    @Option(
            names = "--workspace",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "folder that tasks work in or below (default: the current one)")
    private Path workspace = Path.of(".");

    @Option(
            names = "--auth",
            paramLabel = "HOW",
            defaultValue = "token",
            description = {
                "who may use the server. token: callers that send the token in DATA/token (default);",
                "off: everyone on this machine, only with a loopback --host"
            })
    private String auth = "token";

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "your own Postgres, 14 or newer: postgresql://user@host:5432/database")
    private @Nullable String database;

    @Option(
            names = "--database-password-file",
            paramLabel = "FILE",
            description = "file whose first line is the password for --database; in the command line, everyone on this"
                    + " machine could see it")
    private @Nullable Path databasePasswordFile;

    @Option(
            names = "--journal-fsync",
            paramLabel = "WHEN",
            defaultValue = "never",
            description = {
                "when the journal is synced to disk, so what a power cut may lose (a crash of Penstock loses nothing).",
                "never: frames that are not in Postgres yet, some 20 ms (default);",
                "interval: the same, but at most 100 ms while Postgres is away;",
                "always: nothing, but each frame waits for the disk"
            })
    private String journalFsync = "never";

    @Option(
            names = "--spawner",
            paramLabel = "HOW",
            description = {
                "how programs are started. native: by the C library, watched by the event loops (Linux);",
                "pty4j: by a portable library, with threads for each program.",
                "Default: native where it works"
            })
    private @Nullable String spawner;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = {
                "what tasks may do if no rule decides. local: everything; full-auto: everything, within budgets;",
                "safe: nothing runs that no rule allows. Default: local with a loopback --host, else safe"
            })
    private @Nullable String profile;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description =
                    "file of rules that are asked before the profile; see docs/policy.md. Changes take effect at once")
    private @Nullable Path policy;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {
                "file with the agent programs and the limits of agent tasks; see docs/agents.md",
                "(default: penstock.toml in the data directory, if it is there)"
            })
    private @Nullable Path config;

    @Option(
            names = "--max-running",
            paramLabel = "TASKS",
            defaultValue = "512",
            description = "maximum number of running tasks; more are queued (default: ${DEFAULT-VALUE})")
    private int maxRunning = 512;

    @Option(
            names = "--max-running-per-session",
            paramLabel = "TASKS",
            defaultValue = "64",
            description = {
                "maximum number of running tasks of one session (default: ${DEFAULT-VALUE});",
                "tasks without a session count only for --max-running"
            })
    private int maxRunningPerSession = 64;

    @Option(
            names = "--max-queued",
            paramLabel = "TASKS",
            defaultValue = "10000",
            description = "maximum number of queued tasks; more are refused (default: ${DEFAULT-VALUE})")
    private int maxQueued = 10_000;

    @Option(
            names = "--keep-days",
            paramLabel = "DAYS",
            defaultValue = "30",
            description = {
                "how long a task's output is kept after its end (default: ${DEFAULT-VALUE});",
                "the oldest is removed earlier when outputs fill half of the disk"
            })
    private int keepDays = 30;

    @Option(
            names = "--keep-tasks-days",
            paramLabel = "DAYS",
            defaultValue = "90",
            description = {
                "how long a task is kept after the day on which it ended, and a session after its last",
                "use (default: ${DEFAULT-VALUE}); pinned tasks are kept for good"
            })
    private int keepTasksDays = 90;

    @Option(
            names = "--keep-ledger-gib",
            paramLabel = "GIB",
            description = {
                "how large the ledger in Postgres may become; beyond it, the tasks of the oldest days",
                "are removed earlier. Default: a quarter of the disk; with --database, no limit"
            })
    private @Nullable Double keepLedgerGib;

    @Option(
            names = "--disk-reserve",
            paramLabel = "MIB",
            defaultValue = "64",
            description = {
                "disk space that outputs leave to the ledger (default: ${DEFAULT-VALUE});",
                "with less, output is shown to followers but not stored"
            })
    private int diskReserve = 64;

    @Option(
            names = "--output-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = {
                "maximum bytes per second that a task may write; a faster one is slowed down, nothing is cut.",
                "0, the default, means no limit"
            })
    private long outputRate;

    @Option(
            names = "--task-usage",
            paramLabel = "HOW",
            defaultValue = "on",
            description = {
                "whether CPU time and memory of tasks is recorded. on: of those that run for more than 2 s, for which",
                "/proc is read, with at most 2 % of one processor (default); off: never"
            })
    private String taskUsage = "on";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        Optional<String> open = ProcessMemory.close();
        Map<String, String> environment = System.getenv();
        Path given = data;
        Path folder = given == null ? DataDirectory.defaultPath(environment) : given;
        Configuration configuration = Configuration.read(config, folder, environment);
        var settings = new ServerSettings(
                host,
                port,
                folder,
                DataDirectory.defaultCache(environment),
                workspace,
                ServerSettings.auth(auth),
                DatabaseOption.address(database, databasePasswordFile, environment),
                ServerSettings.fsync(journalFsync),
                ServerSettings.spawner(spawner),
                ServerSettings.policy(profile, policy, host),
                ServerSettings.quotas(maxRunning, maxRunningPerSession, maxQueued, outputRate)
                        .withAgents(
                                configuration.tasks().maxConcurrentGlobal(),
                                configuration.tasks().maxConcurrentPerSession()),
                ServerSettings.retention(keepDays, keepTasksDays, keepLedgerGib),
                (long) diskReserve << 20,
                ServerSettings.taskUsage(taskUsage),
                configuration,
                rpcPort);
        DescriptorBudget.raiseLimit(Server.descriptorsNeeded(settings));
        PrintWriter out = spec.commandLine().getOut();
        Console console = System.console();
        boolean terminal = console != null && console.isTerminal();
        // Only a terminal shows tokens: output to a file or a system log is read by others too.
        Server server = Server.start(settings, terminal ? token -> showAnswerToken(out, token) : null);
        LogOutput log = LogOutput.ofStandardError();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(server, out, log), "shutdown"));
        out.println("Data is kept in " + settings.data().toAbsolutePath().normalize() + ", the ledger in "
                + (settings.database() == null ? "the embedded Postgres" : settings.database()) + ".");
        out.println(
                settings.auth()
                        ? "Callers need the access token, which is in " + settings.tokenFile()
                                + "; answering policy questions takes the answer token, which `penstock answer-token` creates."
                        : "Every user of this machine may run programs here: --auth is off.");
        if (DatabaseOption.hasPassword(database)) {
            out.println("Every user of this machine can see the password in --database: give it in a file with"
                    + " --database-password-file, or in the environment as PGPASSWORD.");
        }
        server.fewDescriptors(settings).ifPresent(out::println);
        open.ifPresent(why -> out.println(
                "Tasks can read this server's memory and environment, because they run under its account. " + why));
        server.whyNotNative().ifPresent(why -> out.println(why + " Therefore programs are started by pty4j."));
        out.println(containment(server.containment()));
        out.println("What tasks may do is decided by the " + server.policy().inForce()
                + (policy == null ? "." : " of " + policy.toAbsolutePath().normalize() + "."));
        if (settings.auth() && terminal) {
            out.println("Open it in a browser by this link, which signs you in: " + server.address() + "/#token="
                    + Files.readString(settings.tokenFile()).strip());
        }
        server.rpcAddress().ifPresent(place -> out.println("Hosts of agent tasks connect to " + place + "."));
        out.println("Penstock is ready at " + server.address());
        out.flush();
        server.awaitEnd();
        return 0;
    }

    private static String containment(Containment level) {
        return switch (level) {
            case CGROUP -> "Each task has its own cgroup: all processes that it starts can be found and killed.";
            case ADOPTION ->
                "Each task has its own session, since no cgroups can be created here, and orphans are adopted: only a"
                        + " program that opens a session and empties its environment outlives a stop.";
            case SESSION ->
                "Each task has its own session, since no cgroups can be created here: a program that opens a session"
                        + " for itself outlives a stop.";
            case DESCENDANTS ->
                "Only the process tree of each task is known: a process that has left its parent outlives a stop.";
        };
    }

    private static void showAnswerToken(PrintWriter out, String token) {
        out.println("The answer token, for answering policy questions, is shown only now: " + token);
    }

    private static void shutDown(Server server, PrintWriter out, LogOutput log) {
        server.stop();
        log.settle();
        out.println("Penstock has stopped.");
        out.flush();
    }
}
