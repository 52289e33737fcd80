package io.penstock.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.engine.pump.TaskRequest;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import io.penstock.server.request.JsonFields;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /tasks}: which tool, with what. */
final class SpawnBody {

    private static final List<String> FIELDS =
            List.of("tool", "args", "title", "label", "execution_mode", "origin_session_id", "timeout_secs");
    private static final List<String> ARGS =
            List.of("command", "argv", "cwd", "env", "rows", "cols", "max_bytes", "artifact_max_bytes");

    private static final long USUAL_TIMEOUT_SECONDS = 3_600;
    private static final long LONGEST_TIMEOUT_SECONDS = 86_400;

    private SpawnBody() {}

    static TaskRequest read(JsonFields body, Actor actor) {
        body.only(FIELDS, "");
        Tool tool = Tool.named(body.text("tool", Limits.TEXT_CHARS));
        JsonFields args = body.objectOrNull("args");
        if (args == null) {
            throw JsonFields.wrong("The tool " + tool.wireName() + " needs args with " + tool.needs());
        }
        checkNames(args);
        return new TaskRequest(
                tool.wireName(),
                recorded(args),
                tool.program(args),
                environment(args),
                path(args),
                body.textOrNull("title"),
                label(body.textOrNull("label", Limits.LABEL_CHARS)),
                mode(body.textOrNull("execution_mode")),
                size(args),
                session(body.textOrNull("origin_session_id")),
                args.number("artifact_max_bytes", 0, Limits.WHOLE_NUMBER, Limits.ARTIFACT_BYTES),
                args.number("max_bytes", 0, Limits.WHOLE_NUMBER, Limits.PREVIEW_BYTES),
                Duration.ofSeconds(body.number("timeout_secs", 1, LONGEST_TIMEOUT_SECONDS, USUAL_TIMEOUT_SECONDS)),
                actor);
    }

    private static void checkNames(JsonFields args) {
        boolean outer = FIELDS.stream().anyMatch(name -> args.object().has(name) && !ARGS.contains(name));
        args.only(ARGS, outer ? "; " + String.join(", ", FIELDS) + " stand beside args, not in it" : "");
    }

    private static @Nullable String path(JsonFields args) {
        String cwd = args.textOrNull("cwd");
        return cwd == null ? null : JsonFields.withoutNul(cwd, "args.cwd");
    }

    private static Map<String, String> environment(JsonFields args) {
        var environment = new LinkedHashMap<String, String>();
        JsonFields env = args.objectOrNull("env");
        if (env == null) {
            return environment;
        }
        for (Map.Entry<String, JsonNode> variable : env.object().properties()) {
            String name = JsonFields.withoutNul(variable.getKey(), "A name in args.env");
            if (name.isEmpty() || name.contains("=")) {
                throw JsonFields.wrong("A name in args.env has a character at least and no =, unlike \""
                        + JsonFields.shown(name) + "\"");
            }
            // Its value is not shown in the complaint: it may be a secret.
            if (!variable.getValue().isTextual()) {
                throw JsonFields.wrong("args.env." + JsonFields.shown(name) + " must be a string");
            }
            environment.put(name, JsonFields.withoutNul(variable.getValue().textValue(), "args.env." + name));
        }
        return environment;
    }

    /** The args as they are kept for ever: of the environment only the names, for the values may be secrets. */
    private static JsonText recorded(JsonFields args) {
        ObjectNode kept = args.object().deepCopy();
        JsonFields env = args.objectOrNull("env");
        if (env != null) {
            ArrayNode names = kept.putArray("env");
            new ArrayList<>(environment(args).keySet()).forEach(names::add);
        }
        JsonText text = JsonText.of(kept);
        int bytes = text.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Limits.ARGS_BYTES) {
            throw JsonFields.wrong("args have at most " + Limits.ARGS_BYTES + " bytes as JSON, these have " + bytes
                    + "; put what is longer into a file");
        }
        return text;
    }

    private static TerminalSize size(JsonFields args) {
        return new TerminalSize(
                (int) args.number("rows", 1, Limits.TERMINAL_CELLS_PER_SIDE, TerminalSize.USUAL.rows()),
                (int) args.number("cols", 1, Limits.TERMINAL_CELLS_PER_SIDE, TerminalSize.USUAL.cols()));
    }

    private static ExecutionMode mode(@Nullable String word) {
        if (word == null) {
            return ExecutionMode.PIPES;
        }
        for (ExecutionMode mode : ExecutionMode.values()) {
            if (mode.wireName().equals(word)) {
                return mode;
            }
        }
        throw JsonFields.wrong("execution_mode must be pipes or pty, but is \"" + JsonFields.shown(word) + "\"");
    }

    private static @Nullable TaskLabel label(@Nullable String text) {
        try {
            return TaskLabel.ofNullable(text);
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("label cannot be used. " + e.getMessage());
        }
    }

    private static @Nullable String session(@Nullable String id) {
        if (id != null) {
            try {
                StreamId.session(id);
            } catch (IllegalArgumentException e) {
                throw JsonFields.wrong("origin_session_id cannot be used. " + e.getMessage());
            }
        }
        return id;
    }
}
