package io.penstock.server.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.penstock.frames.Limits;
import io.penstock.frames.OnLost;
import io.penstock.frames.RecordInput;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a spawn: which tool, with which arguments, within which limits. */
public final class SpawnReader {

    private static final List<String> FIELDS = List.of(
            "tool",
            "args",
            "title",
            "label",
            "execution_mode",
            "stdin",
            "origin_session_id",
            "timeout_secs",
            "serial",
            "on_lost",
            "watch");
    private static final List<String> ARGS = List.of(
            "command", "argv", "cwd", "env", "rows", "cols", "max_bytes", "artifact_max_bytes", "record_input", "keep");

    /** Whether a program on pipes has an input. */
    private static final List<String> STDIN = List.of("closed", "open");

    private static final long USUAL_TIMEOUT_SECONDS = 3_600;
    private static final long LONGEST_TIMEOUT_SECONDS = 86_400;

    private SpawnReader() {}

    public static TaskRequest read(RequestFields body, Actor actor) {
        return read(body, actor, null);
    }

    /** @param links the task's relations to other tasks; null without any */
    public static TaskRequest read(RequestFields body, Actor actor, @Nullable TaskLinks links) {
        body.only(FIELDS, "");
        Tool tool = Tool.named(body.text("tool", Limits.TEXT_CHARS));
        RequestFields args = body.objectOrNull("args");
        if (args == null) {
            throw RequestFields.wrong("The tool " + tool.wireName() + " needs args with " + tool.needs());
        }
        checkNames(args);
        ExecutionMode mode = mode(body.textOrNull("execution_mode"));
        Keep keep = parseKeep(args.textOrNull("keep"), mode);
        boolean stdinOpen = stdinOpen(body.textOrNull("stdin"), mode);
        return new TaskRequest(
                tool.wireName(),
                recorded(args),
                tool.program(args),
                environment(args),
                path(args),
                body.textOrNull("title"),
                label(body.textOrNull("label", Limits.LABEL_CHARS)),
                mode,
                size(args),
                session(body.textOrNull("origin_session_id")),
                artifactMaxBytes(args, keep),
                args.number("max_bytes", 0, Limits.WHOLE_NUMBER, Limits.PREVIEW_BYTES),
                Duration.ofSeconds(body.number("timeout_secs", 1, LONGEST_TIMEOUT_SECONDS, USUAL_TIMEOUT_SECONDS)),
                actor,
                recordInput(args.textOrNull("record_input")),
                keep,
                body.flagOrFalse("serial"),
                WatchReader.list(body, "watch"),
                onLost(body.textOrNull("on_lost"), mode, stdinOpen),
                stdinOpen,
                links,
                null);
    }

    private static boolean stdinOpen(@Nullable String word, ExecutionMode mode) {
        if (word == null) {
            return false;
        }
        if (!STDIN.contains(word)) {
            throw Words.unknown("stdin", STDIN, word);
        }
        if (mode == ExecutionMode.PTY) {
            throw RequestFields.wrong("stdin and execution_mode \"pty\" do not go together: a terminal always has an"
                    + " input; use \"pipes\", or leave stdin out");
        }
        return word.equals("open");
    }

    private static OnLost onLost(@Nullable String word, ExecutionMode mode, boolean stdinOpen) {
        OnLost read = word == null ? OnLost.END : Words.parse(OnLost.class, OnLost::wireName, "on_lost", word);
        if (read == OnLost.REQUEUE && mode == ExecutionMode.PTY) {
            throw RequestFields.wrong(
                    "on_lost \"requeue\" and execution_mode \"pty\" do not go together: a new run would"
                            + " not get the input that was typed; use \"pipes\", or leave on_lost out");
        }
        if (read == OnLost.REQUEUE && stdinOpen) {
            throw RequestFields.wrong(
                    "on_lost \"requeue\" and stdin \"open\" do not go together: a new run would not get"
                            + " the input that was written; leave one of them out");
        }
        return read;
    }

    private static Keep parseKeep(@Nullable String word, ExecutionMode mode) {
        if (word == null) {
            return Keep.usual(mode);
        }
        return Words.parse(Keep.class, Keep::wireName, "args.keep", word);
    }

    private static @Nullable Long artifactMaxBytes(RequestFields args, Keep keep) {
        long most = args.number("artifact_max_bytes", 0, Limits.WHOLE_NUMBER, Limits.ARTIFACT_BYTES);
        if (keep != Keep.ALL) {
            return most;
        }
        if (args.object().has("artifact_max_bytes")) {
            throw RequestFields.wrong("args.artifact_max_bytes and args.keep \"all\" do not go together: all is without"
                    + " limit; leave one of them out");
        }
        return null;
    }

    private static void checkNames(RequestFields args) {
        boolean outer = FIELDS.stream().anyMatch(name -> args.object().has(name) && !ARGS.contains(name));
        args.only(ARGS, outer ? "; " + String.join(", ", FIELDS) + " stand beside args, not in it" : "");
    }

    private static @Nullable String path(RequestFields args) {
        String cwd = args.textOrNull("cwd");
        return cwd == null ? null : RequestFields.withoutNul(cwd, "args.cwd");
    }

    private static Map<String, String> environment(RequestFields args) {
        var environment = new LinkedHashMap<String, String>();
        RequestFields env = args.objectOrNull("env");
        if (env == null) {
            return environment;
        }
        for (Map.Entry<String, JsonNode> variable : env.object().properties()) {
            String name = RequestFields.withoutNul(variable.getKey(), "A name in args.env");
            if (name.isEmpty() || name.contains("=")) {
                throw RequestFields.wrong("A name in args.env has a character at least and no =, unlike \""
                        + RequestFields.shown(name) + "\"");
            }
            // Its value is not shown in the complaint: it may be a secret.
            if (!variable.getValue().isTextual()) {
                throw RequestFields.wrong("args.env." + RequestFields.shown(name) + " must be a string");
            }
            environment.put(name, RequestFields.withoutNul(variable.getValue().textValue(), "args.env." + name));
        }
        return environment;
    }

    /** The args as they are kept for ever: of the environment only the names, since the values may be secrets. */
    private static JsonText recorded(RequestFields args) {
        ObjectNode kept = args.object().deepCopy();
        RequestFields env = args.objectOrNull("env");
        if (env != null) {
            ArrayNode names = kept.putArray("env");
            new ArrayList<>(environment(args).keySet()).forEach(names::add);
        }
        JsonText text = JsonText.of(kept);
        int bytes = text.text().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Limits.ARGS_BYTES) {
            throw RequestFields.wrong("args have at most " + Limits.ARGS_BYTES + " bytes as JSON, these have " + bytes
                    + "; put what is longer into a file");
        }
        return text;
    }

    private static TerminalSize size(RequestFields args) {
        return new TerminalSize(
                (int) args.number("rows", 1, Limits.TERMINAL_CELLS_PER_SIDE, TerminalSize.DEFAULT.rows()),
                (int) args.number("cols", 1, Limits.TERMINAL_CELLS_PER_SIDE, TerminalSize.DEFAULT.cols()));
    }

    private static ExecutionMode mode(@Nullable String word) {
        return word == null
                ? ExecutionMode.PIPES
                : Words.parse(ExecutionMode.class, ExecutionMode::wireName, "execution_mode", word);
    }

    private static RecordInput recordInput(@Nullable String word) {
        return word == null
                ? RecordInput.DEFAULT
                : Words.parse(RecordInput.class, RecordInput::wireName, "args.record_input", word);
    }

    private static @Nullable TaskLabel label(@Nullable String text) {
        try {
            return TaskLabel.ofNullable(text);
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong("label cannot be used. " + e.getMessage());
        }
    }

    private static @Nullable String session(@Nullable String id) {
        if (id != null) {
            try {
                StreamId.session(id);
            } catch (IllegalArgumentException e) {
                throw RequestFields.wrong("origin_session_id cannot be used. " + e.getMessage());
            }
        }
        return id;
    }
}
