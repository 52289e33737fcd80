package io.penstock.server.config;

import com.fasterxml.jackson.core.JsonFactory;
import io.penstock.engine.agent.AgentProfile;
import io.penstock.frames.AgentSpec.Protocol;
import io.penstock.sample.SampleAgent;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The profiles that are there without a configuration. Their programs are found in the PATH when they are run, if they are installed. */
public final class ShippedProfiles {

    /** Run if a caller names no profile and the configuration does not either. */
    public static final String USUAL = "sample";

    private ShippedProfiles() {}

    /** @param data the data directory, where the sample agent has its conversations */
    public static Map<String, AgentProfile> all(Path data) {
        Map<String, AgentProfile> profiles = new LinkedHashMap<>();
        for (AgentProfile profile : List.of(
                sample(data),
                of(
                        "codex",
                        Protocol.ACP,
                        List.of("codex-acp"),
                        List.of("-c", "model={model}"),
                        List.of("-c", "model_reasoning_effort={thinking}"),
                        Map.of("off", "minimal")),
                of("claude", Protocol.ACP, List.of("claude-agent-acp"), List.of(), List.of(), Map.of()),
                of(
                        "gemini",
                        Protocol.ACP,
                        List.of("gemini", "--acp"),
                        List.of("--model", "{model}"),
                        List.of(),
                        Map.of()),
                of("opencode", Protocol.ACP, List.of("opencode", "acp"), List.of(), List.of(), Map.of()),
                of(
                        "pi",
                        Protocol.PI,
                        List.of("pi", "--mode", "rpc"),
                        List.of("--model", "{model}"),
                        List.of("--thinking", "{thinking}"),
                        Map.of()))) {
            profiles.put(profile.name(), profile);
        }
        return profiles;
    }

    private static AgentProfile of(
            String name,
            Protocol protocol,
            List<String> command,
            List<String> modelArguments,
            List<String> thinkingArguments,
            Map<String, String> thinking) {
        return new AgentProfile(
                name, protocol, command, Map.of(), Map.of(), thinking, modelArguments, thinkingArguments);
    }

    private static AgentProfile sample(Path data) {
        return of(
                USUAL,
                Protocol.ACP,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        // Small and soon there: it computes next to nothing.
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Xmx32m",
                        "-cp",
                        classPath(SampleAgent.class, JsonFactory.class),
                        SampleAgent.class.getName(),
                        "--sessions",
                        data.toAbsolutePath()
                                .normalize()
                                .resolve("agents/sample")
                                .toString()),
                List.of("--model", "{model}"),
                List.of("--thinking", "{thinking}"),
                Map.of());
    }

    /** Where these classes are, of which the server has many more. */
    private static String classPath(Class<?>... classes) {
        return Stream.of(classes)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(place -> {
                    try {
                        return Path.of(place.toURI()).toString();
                    } catch (URISyntaxException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .collect(Collectors.joining(File.pathSeparator));
    }
}
