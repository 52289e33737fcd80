package io.penstock.engine.agent;

import io.penstock.frames.AgentSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configured agent program.
 *
 * @param command the program and its arguments
 * @param environment added to the clean environment of its tasks
 * @param models the program's names of the models that callers name; a name that is not there is passed on as it is
 * @param thinking the same for levels of thinking
 * @param modelArguments added to the command if the caller names a model, with {@code {model}} replaced
 * @param thinkingArguments the same with {@code {thinking}}
 */
public record AgentProfile(
        String name,
        AgentSpec.Protocol protocol,
        List<String> command,
        Map<String, String> environment,
        Map<String, String> models,
        Map<String, String> thinking,
        List<String> modelArguments,
        List<String> thinkingArguments) {

    public AgentProfile {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        models = Map.copyOf(models);
        thinking = Map.copyOf(thinking);
        modelArguments = List.copyOf(modelArguments);
        thinkingArguments = List.copyOf(thinkingArguments);
        if (name.isBlank()) {
            throw new IllegalArgumentException("an agent profile has a name");
        }
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new IllegalArgumentException("the agent profile " + name + " has no command");
        }
    }

    /** Without the values of the environment, which may be secrets. */
    @Override
    public String toString() {
        return "the agent profile " + name + " " + command + " with the environment variables "
                + environment.keySet().stream().sorted().toList();
    }

    /** The command for a model and a level of thinking, each as the caller names it. */
    public List<String> command(@Nullable String model, @Nullable String level) {
        var words = new ArrayList<>(command);
        if (model != null) {
            String word = models.getOrDefault(model, model);
            modelArguments.forEach(argument -> words.add(argument.replace("{model}", word)));
        }
        if (level != null) {
            String word = thinking.getOrDefault(level, level);
            thinkingArguments.forEach(argument -> words.add(argument.replace("{thinking}", word)));
        }
        return words;
    }
}
