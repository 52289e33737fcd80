package io.penstock.server;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.spawn.ProgramFile;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.server.config.Configuration;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the agent programs of a configuration, and whether each is installed. */
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description = "Lists the configured agent programs, and whether each is installed. * is the usual one.")
final class AgentsCommand implements Callable<Integer> {

    @Mixin
    private DataOption data = new DataOption();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "configuration file (default: penstock.toml in the data directory, if it is there)")
    private @Nullable Path config;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Map<String, String> environment = System.getenv();
        Path folder = data.folder();
        Configuration configuration = Configuration.read(config, folder, environment);
        PrintWriter out = spec.commandLine().getOut();
        out.println(
                configuration.file() == null
                        ? "There is no configuration in " + folder + "; these ship with Penstock."
                        : "By " + configuration.file() + ":");
        for (AgentProfile profile : new TreeMap<>(configuration.agents().byName()).values()) {
            out.printf(
                    "%s %-12s %-4s %s%n",
                    profile.name().equals(configuration.agents().usual()) ? "*" : " ",
                    profile.name(),
                    profile.protocol().name().toLowerCase(Locale.ROOT),
                    program(profile, environment));
        }
        out.flush();
        return 0;
    }

    /** The file of its program, or why there is none; found as a task's program is. */
    private static String program(AgentProfile profile, Map<String, String> environment) {
        var searched = new HashMap<String, String>();
        if (environment.get("PATH") instanceof String path) {
            searched.put("PATH", path);
        }
        searched.putAll(profile.environment());
        Path cwd = Path.of("").toAbsolutePath();
        try {
            Path program = ProgramFile.of(SpawnRequest.pipes(profile.command(), searched, cwd));
            Optional<SpawnFailure> wrong = ProgramFile.whyNot(program, cwd);
            return wrong.isEmpty()
                    ? program.toString()
                    : "not usable: " + wrong.get().getMessage();
        } catch (SpawnFailure e) {
            return "not installed: " + e.getMessage();
        }
    }
}
