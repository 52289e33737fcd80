package io.penstock.engine.log;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.frames.SpawnSpec;
import io.penstock.frames.WholeCharacters;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The part of a task's command that lists search in. */
public final class CommandText {

    /** A row of a list stays small, and people remember the beginning of a command. */
    private static final int MAX_CHARS = 1000;

    private CommandText() {}

    /** The beginning of the command of a shell, or of the words of a program; empty if the task runs neither. */
    public static String of(SpawnSpec spec) {
        JsonNode args = spec.args().toNode();
        JsonNode command = args.get("command");
        JsonNode words = args.get("argv");
        if (command != null && command.isTextual()) {
            return beginning(command.textValue());
        }
        return words == null || !words.isArray()
                ? ""
                : beginning(StreamSupport.stream(words.spliterator(), false)
                        .map(JsonNode::asText)
                        .collect(Collectors.joining(" ")));
    }

    private static String beginning(String text) {
        return WholeCharacters.beginning(text, MAX_CHARS);
    }
}
