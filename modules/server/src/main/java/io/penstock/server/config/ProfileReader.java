package io.penstock.server.config;

import io.penstock.engine.agent.AgentProfile;
import io.penstock.engine.agent.AgentProfiles;
import io.penstock.engine.agent.TurnRates;
import io.penstock.frames.AgentSpec.Protocol;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the table of agent programs. */
final class ProfileReader {

    /** Short enough for lists and metrics, and the same in a URL. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,39}");

    /** More than there are agent programs. */
    private static final int PROFILES = 100;

    private static final String USUAL = "usual";

    private final TomlTable agents;
    private final Map<String, AgentProfile> shipped;
    private final Map<String, String> serverEnvironment;

    /** @param serverEnvironment of which a profile may pass on variables */
    ProfileReader(TomlTable agents, Map<String, AgentProfile> shipped, Map<String, String> serverEnvironment) {
        this.agents = agents;
        this.shipped = shipped;
        this.serverEnvironment = serverEnvironment;
    }

    /** Whether the file itself has values of environment variables. */
    boolean hasValues() {
        return agents.keys().stream()
                .filter(name -> !name.equals(USUAL))
                .anyMatch(
                        name -> !agents.table(name).table("environment").keys().isEmpty());
    }

    AgentProfiles read(TurnRates rates) {
        Map<String, AgentProfile> profiles = new LinkedHashMap<>(shipped);
        List<String> names =
                agents.keys().stream().filter(name -> !name.equals(USUAL)).toList();
        for (String name : names) {
            if (!NAME.matcher(name).matches()) {
                throw agents.broken(
                        name, "is no name of a profile: 1 to 40 letters, digits and any of . _ - behind the first");
            }
            profiles.put(name, profile(name));
        }
        if (profiles.size() > PROFILES) {
            throw agents.broken(
                    names.getLast(), "is one profile too many: there may be " + PROFILES + " with those that ship");
        }
        String usual = agents.has(USUAL) ? agents.text(USUAL) : ShippedProfiles.USUAL;
        if (!profiles.containsKey(usual)) {
            throw agents.broken(
                    USUAL,
                    "must name a profile, which \"" + usual + "\" is not; known are "
                            + String.join(
                                    ", ", profiles.keySet().stream().sorted().toList()));
        }
        return new AgentProfiles(profiles, usual, rates);
    }

    private AgentProfile profile(String name) {
        TomlTable table = agents.table(name)
                .onlyWith(
                        "protocol",
                        "command",
                        "environment",
                        "pass_environment",
                        "models",
                        "thinking",
                        "model_arguments",
                        "thinking_arguments");
        AgentProfile base = shipped.get(name);
        Protocol protocol =
                base == null || table.has("protocol") ? table.oneOf("protocol", Protocol.class) : base.protocol();
        List<String> command = base == null || table.has("command") ? command(table) : base.command();
        return new AgentProfile(
                name,
                protocol,
                command,
                environment(table),
                byKey(table, "models", base == null ? Map.of() : base.models()),
                byKey(table, "thinking", base == null ? Map.of() : base.thinking()),
                arguments(table, "model", base == null ? null : base.modelArguments()),
                arguments(table, "thinking", base == null ? null : base.thinkingArguments()));
    }

    private static List<String> command(TomlTable table) {
        List<String> command = table.texts("command");
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw table.broken("command", "must have a program, such as [\"codex-acp\"]");
        }
        return command;
    }

    private Map<String, String> environment(TomlTable table) {
        var environment = new HashMap<>(table.textsByKey("environment"));
        for (String name : environment.keySet()) {
            if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf(0) >= 0) {
                throw table.broken("environment", "has a name that is empty or has = or NUL in it");
            }
        }
        if (table.has("pass_environment")) {
            for (String name : table.texts("pass_environment")) {
                if (name.isBlank() || name.indexOf('=') >= 0) {
                    // Not shown: a value may have slipped in.
                    throw table.broken("pass_environment", "must have names of variables only, without = and values");
                }
                String value = serverEnvironment.get(name);
                if (value != null && environment.putIfAbsent(name, value) != null) {
                    throw table.broken(
                            "pass_environment", "has " + name + ", which \"environment\" sets too: leave one out");
                }
            }
        }
        return environment;
    }

    private static Map<String, String> byKey(TomlTable table, String key, Map<String, String> usual) {
        return table.has(key) ? table.textsByKey(key) : usual;
    }

    private static List<String> arguments(TomlTable table, String what, @Nullable List<String> usual) {
        String key = what + "_arguments";
        if (!table.has(key)) {
            return usual == null ? List.of() : usual;
        }
        List<String> arguments = table.texts(key);
        String placeholder = "{" + what + "}";
        if (!arguments.isEmpty() && arguments.stream().noneMatch(argument -> argument.contains(placeholder))) {
            throw table.broken(key, "must have " + placeholder + ", which is replaced, in one of its texts");
        }
        return arguments;
    }
}
