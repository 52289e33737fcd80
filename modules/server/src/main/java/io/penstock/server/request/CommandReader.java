package io.penstock.server.request;

import io.penstock.engine.pump.TaskCommand;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Limits;
import io.penstock.frames.Signal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the commands for one task, as all edges accept them.
 *
 * @param actor is recorded as having given the command
 * @param envelope the members of a message that belong to the edge, such as its type and number
 * @param inputChars characters of one input at most
 */
public record CommandReader(String taskId, Actor actor, List<String> envelope, int inputChars) {

    /** The types that {@link #read} knows. */
    public static final List<String> TYPES = List.of("stdin", "resize", "signal", "cancel", "answer", "watch");

    private static final String[] WATCH =
            Stream.concat(WatchReader.FIELDS.stream(), Stream.of("from_seq")).toArray(String[]::new);

    public TaskCommand read(String type, RequestFields fields) {
        return switch (type) {
            case "stdin" -> {
                only(fields, "text", "chunk_b64", "close");
                boolean close = fields.flagOrFalse("close");
                byte[] bytes = bytes(fields, close);
                yield close
                        ? new TaskCommand.CloseInput(taskId, bytes, actor)
                        : new TaskCommand.WriteInput(taskId, bytes, actor);
            }
            case "resize" -> {
                only(fields, "rows", "cols");
                int rows = (int) fields.number("rows", 1, Limits.TERMINAL_CELLS_PER_SIDE);
                int cols = (int) fields.number("cols", 1, Limits.TERMINAL_CELLS_PER_SIDE);
                yield new TaskCommand.Resize(taskId, new TerminalSize(rows, cols), actor);
            }
            case "signal" -> {
                only(fields, "signal");
                yield new TaskCommand.Signal(taskId, signal(fields.text("signal", Limits.TEXT_CHARS)), actor);
            }
            case "cancel" -> {
                only(fields, "reason");
                yield new TaskCommand.Cancel(taskId, fields.textOrNull("reason"), actor);
            }
            case "answer" -> {
                only(fields, "allow", "reason");
                yield new TaskCommand.Answer(taskId, fields.flag("allow"), reason(fields), actor);
            }
            case "watch" -> {
                only(fields, WATCH);
                Long fromSeq = fields.numberOrNull("from_seq", 0, Limits.WHOLE_NUMBER);
                yield new TaskCommand.Watch(taskId, WatchReader.read(fields), fromSeq, actor);
            }
            default ->
                throw RequestFields.wrong("There is no type \"" + RequestFields.shown(type) + "\"; known are "
                        + String.join(", ", TYPES));
        };
    }

    /** Input that came as bytes. */
    public TaskCommand input(byte[] bytes) {
        return new TaskCommand.WriteInput(taskId, bytes, actor);
    }

    private void only(RequestFields fields, String... names) {
        var known = new ArrayList<>(envelope);
        known.addAll(List.of(names));
        fields.only(known, "");
    }

    private byte[] bytes(RequestFields fields, boolean close) {
        String text = fields.textOrNull("text", inputChars);
        String base64 = fields.textOrNull("chunk_b64", inputChars);
        if (text == null && base64 == null && close) {
            return new byte[0];
        }
        if (text == null == (base64 == null)) {
            throw RequestFields.wrong(
                    "stdin has either text or chunk_b64, or \"close\": true, or one of them and that");
        }
        return text == null ? RequestFields.base64(base64, "chunk_b64") : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String signal(String name) {
        try {
            Signal.parse(name);
            return name;
        } catch (IllegalArgumentException e) {
            throw RequestFields.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static String reason(RequestFields fields) {
        String reason = fields.text("reason", Limits.POLICY_REASON_CHARS);
        if (reason.isBlank()) {
            throw RequestFields.wrong("reason is empty; say why, for it is kept with the task");
        }
        return reason;
    }
}
