package io.penstock.server;

import io.penstock.engine.log.postgres.DatabaseAddress;
import io.penstock.frames.Containment;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts the server and runs it until it is told to end. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        version = "Penstock " + Main.VERSION,
        sortOptions = false,
        description = "Starts the server, and runs until Ctrl-C.",
        footer = {
            "",
            "Without --database, Penstock brings a Postgres of its own, which lives in the data directory",
            "and starts and ends with the server; it is for Linux on x86-64 and aarch64. Environment: PGUSER and",
            "PGPASSWORD are used where the URL has no user or password, PENSTOCK_JAVA_OPTS for the Java machine."
        })
final class Up implements Callable<Integer> {

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "7341",
            description = "the port to listen on; 0 takes one that is free (default: ${DEFAULT-VALUE})")
    private int port = 7341;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "the address to listen on (default: ${DEFAULT-VALUE}, this machine only)")
    private String host = "127.0.0.1";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "where everything is kept (default: a folder penstock where your system keeps data)")
    private @Nullable Path data;

    @Option(
            names = "--workspace",
            paramLabel = "DIR",
            defaultValue = ".",
            description = "the folder that tasks work in or below (default: the present one)")
    private Path workspace = Path.of(".");

    @Option(
            names = "--auth",
            paramLabel = "HOW",
            defaultValue = "token",
            description = {
                "who may use the server: token: who sends the token in DATA/token (default);",
                "off: everyone on this machine, which needs a loopback address as --host"
            })
    private String auth = "token";

    @Option(
            names = "--database",
            paramLabel = "URL",
            description = "a Postgres of your own, 14 or newer: postgresql://user:password@host:5432/database")
    private @Nullable String database;

    @Option(
            names = "--journal-fsync",
            paramLabel = "WHEN",
            defaultValue = "never",
            description = {
                "what a power cut may take; a crash of Penstock takes nothing in any of these:",
                "never: what has not reached Postgres yet, of some 20 ms (default)",
                "interval: the same, but at most 100 ms also while Postgres is away",
                "always: nothing, and each frame waits for the disk"
            })
    private String journalFsync = "never";

    @Option(
            names = "--spawner",
            paramLabel = "HOW",
            description = {
                "how programs are started: native: by the C library, watched by the server's own event loops (Linux);",
                "pty4j: by a library that works elsewhere too, with threads for each program.",
                "Unless given: native where it works"
            })
    private @Nullable String spawner;

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            description = {
                "what tasks may do where no rule decides: local: everything; full-auto: everything, within budgets;",
                "safe: nothing is begun that no rule allows. Unless given: local, or safe if not only this machine",
                "reaches the server"
            })
    private @Nullable String profile;

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description = "rules that come before the profile; see docs/policy.md. A change is taken up at once")
    private @Nullable Path policy;

    @Option(
            names = "--max-running",
            paramLabel = "TASKS",
            defaultValue = "512",
            description = "so many tasks run at once, more wait for their turn (default: ${DEFAULT-VALUE})")
    private int maxRunning = 512;

    @Option(
            names = "--max-running-per-session",
            paramLabel = "TASKS",
            defaultValue = "64",
            description = {
                "so many of one session, which keeps no other session waiting (default: ${DEFAULT-VALUE});",
                "tasks that name no session have only the limit of all"
            })
    private int maxRunningPerSession = 64;

    @Option(
            names = "--max-queued",
            paramLabel = "TASKS",
            defaultValue = "10000",
            description = "so many wait at most, more are refused (default: ${DEFAULT-VALUE})")
    private int maxQueued = 10_000;

    @Option(
            names = "--keep-days",
            paramLabel = "DAYS",
            defaultValue = "30",
            description = {
                "how long the output of a task is kept after its end (default: ${DEFAULT-VALUE});",
                "the oldest goes earlier when all of them together fill half of the disk"
            })
    private int keepDays = 30;

    @Option(
            names = "--output-rate",
            paramLabel = "BYTES",
            defaultValue = "0",
            description = {
                "so many bytes a task may write in a second; one that writes more is slowed, nothing is cut.",
                "0, the default, is without limit"
            })
    private long outputRate;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        Map<String, String> environment = System.getenv();
        Path folder = data;
        String url = database;
        var settings = new ServerSettings(
                host,
                port,
                folder == null ? DataDirectory.usual(environment) : folder,
                DataDirectory.usualCache(environment),
                workspace,
                ServerSettings.auth(auth),
                url == null ? null : DatabaseAddress.parse(url, environment),
                ServerSettings.fsync(journalFsync),
                ServerSettings.spawner(spawner),
                ServerSettings.policy(profile, policy, host),
                ServerSettings.quotas(maxRunning, maxRunningPerSession, maxQueued, outputRate),
                Duration.ofDays(keepDays));
        PrintWriter out = spec.commandLine().getOut();
        Server server = Server.start(settings);
        LogOutput log = LogOutput.ofStandardError();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server, out, log), "shutdown"));
        out.println("Data is kept in " + settings.data().toAbsolutePath().normalize() + ", the ledger in "
                + (settings.database() == null ? "the Postgres that Penstock brings" : settings.database()) + ".");
        out.println(
                settings.auth()
                        ? "Callers need the access token, which is in " + settings.tokenFile()
                                + "; with the one in answer-token beside it, what policy asks is answered."
                        : "Everyone on this machine may run programs here: --auth is off.");
        server.whyNotNative().ifPresent(why -> out.println(why + " So programs are started by pty4j."));
        out.println(containment(server.containment()));
        out.println("What tasks may do is said by the " + server.policy().inForce()
                + (policy == null ? "." : " of " + policy.toAbsolutePath().normalize() + "."));
        Console console = System.console();
        if (settings.auth() && console != null && console.isTerminal()) {
            // Only a person is told: what is written to a file or a system's log is read by others too.
            out.println("Open it in a browser by this link, which signs you in: " + server.address() + "/#token="
                    + Files.readString(settings.tokenFile()).strip());
        }
        out.println("Penstock is ready at " + server.address());
        out.flush();
        server.awaitEnd();
        return 0;
    }

    private static String containment(Containment level) {
        return switch (level) {
            case CGROUP -> "Each task has a cgroup of its own: whatever it starts can be found and ended.";
            case ADOPTION ->
                "Each task has a session of its own, for no cgroups can be made here, and what leaves it is adopted: only a"
                        + " program that opens a session and empties its environment outlives a stop.";
            case SESSION ->
                "Each task has a session of its own, for no cgroups can be made here: a program that opens a session"
                        + " for itself outlives a stop.";
            case DESCENDANTS ->
                "Of each task only the tree of its processes is known: what has left its parent outlives a stop.";
        };
    }

    private static void end(Server server, PrintWriter out, LogOutput log) {
        server.stop();
        log.settle();
        out.println("Penstock has stopped.");
        out.flush();
    }
}
