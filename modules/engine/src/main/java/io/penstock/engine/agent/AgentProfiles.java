package io.penstock.engine.agent;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The agent programs that may be run.
 *
 * @param usual the name of the one that is run if a caller names none; null if there is none
 * @param rates how often they begin a turn
 */
public record AgentProfiles(
        Map<String, AgentProfile> byName, @Nullable String usual, TurnRates rates) {

    public static final AgentProfiles NONE = new AgentProfiles(Map.of(), null);

    public AgentProfiles {
        byName = Map.copyOf(byName);
        if (usual != null && !byName.containsKey(usual)) {
            throw new IllegalArgumentException("the usual agent profile " + usual + " is not there");
        }
    }

    /** Without a limit on their turns. */
    public AgentProfiles(Map<String, AgentProfile> byName, @Nullable String usual) {
        this(byName, usual, TurnRates.NONE);
    }

    public static AgentProfiles of(List<AgentProfile> profiles, String usual) {
        return new AgentProfiles(
                profiles.stream().collect(Collectors.toMap(AgentProfile::name, Function.identity())), usual);
    }

    /** The profile with this name, or the usual one; a failure that names those that are there. */
    public AgentProfile profile(@Nullable String name) {
        String wanted = name == null ? usual : name;
        AgentProfile profile = wanted == null ? null : byName.get(wanted);
        if (profile == null) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    wanted == null
                            ? "No agent program is configured"
                            : "There is no agent profile \"" + wanted + "\"; known are "
                                    + String.join(
                                            ", ",
                                            byName.keySet().stream().sorted().toList()));
        }
        return profile;
    }
}
