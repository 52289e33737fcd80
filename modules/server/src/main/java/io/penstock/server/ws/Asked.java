package io.penstock.server.ws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Failure;
import io.penstock.frames.JsonText;
import io.penstock.frames.Limits;
import io.penstock.frames.Signal;
import io.penstock.server.request.JsonFields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a viewer wants. */
sealed interface Asked {

    /** What is done to the task, once for each number that the client gives it. */
    sealed interface Operation extends Asked {
        long op();
    }

    record Input(long op, byte[] bytes) implements Operation {
        public Input {
            if (op < 1 || op > Limits.WHOLE_NUMBER) {
                throw JsonFields.wrong("op must be a whole number from 1 to " + Limits.WHOLE_NUMBER + ", but is " + op);
            }
        }
    }

    record Resize(long op, TerminalSize size) implements Operation {}

    record ChooseSize(long op, SizePolicy policy) implements Operation {}

    record SendSignal(long op, String signal) implements Operation {}

    record Cancel(long op, @Nullable String reason) implements Operation {}

    /** It has parsed all frames below. */
    record Parsed(long nextSeq) implements Asked {
        public Parsed {
            if (nextSeq < 0 || nextSeq > Limits.WHOLE_NUMBER) {
                throw JsonFields.wrong(
                        "next_seq must be a whole number from 0 to " + Limits.WHOLE_NUMBER + ", but is " + nextSeq);
            }
        }
    }

    /** Nobody sees what it shows, so that it needs no output. */
    record Hidden() implements Asked {}

    /** Somebody sees it again. */
    record Shown() implements Asked {}

    static Asked read(byte[] utf8) {
        JsonFields fields;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
            fields = new JsonFields((ObjectNode) new JsonText(text).toNode(), "");
        } catch (CharacterCodingException e) {
            throw JsonFields.wrong("The message cannot be used. It is not UTF-8");
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("The message cannot be used. " + e.getMessage());
        }
        try {
            return read(fields);
        } catch (Failure e) {
            throw new AskedWrongly(opOrNull(fields), e);
        }
    }

    /** Also of one that is wrong otherwise, so that whoever sent it knows which. */
    private static @Nullable Long opOrNull(JsonFields fields) {
        try {
            return op(fields);
        } catch (Failure none) {
            return null;
        }
    }

    private static Asked read(JsonFields fields) {
        String type = fields.text("type", Limits.TEXT_CHARS);
        return switch (type) {
            case "stdin" -> {
                fields.only(List.of("type", "op", "text", "chunk_b64"), "");
                yield new Input(op(fields), input(fields));
            }
            case "resize" -> {
                fields.only(List.of("type", "op", "rows", "cols"), "");
                int rows = (int) fields.number("rows", 1, Limits.TERMINAL_CELLS_PER_SIDE);
                int cols = (int) fields.number("cols", 1, Limits.TERMINAL_CELLS_PER_SIDE);
                yield new Resize(op(fields), new TerminalSize(rows, cols));
            }
            case "size_policy" -> {
                fields.only(List.of("type", "op", "policy"), "");
                yield new ChooseSize(op(fields), SizePolicy.read(fields.text("policy", Limits.TEXT_CHARS)));
            }
            case "signal" -> {
                fields.only(List.of("type", "op", "signal"), "");
                yield new SendSignal(op(fields), signal(fields.text("signal", Limits.TEXT_CHARS)));
            }
            case "cancel" -> {
                fields.only(List.of("type", "op", "reason"), "");
                yield new Cancel(op(fields), fields.textOrNull("reason"));
            }
            case "parsed" -> {
                fields.only(List.of("type", "next_seq"), "");
                yield new Parsed(fields.number("next_seq", 0, Limits.WHOLE_NUMBER));
            }
            case "hidden" -> {
                fields.only(List.of("type"), "");
                yield new Hidden();
            }
            case "shown" -> {
                fields.only(List.of("type"), "");
                yield new Shown();
            }
            default ->
                throw JsonFields.wrong("There is no type \"" + JsonFields.shown(type)
                        + "\"; known are stdin, resize, size_policy, signal, cancel, parsed, hidden, shown");
        };
    }

    private static long op(JsonFields fields) {
        return fields.number("op", 1, Limits.WHOLE_NUMBER);
    }

    private static byte[] input(JsonFields fields) {
        String text = fields.textOrNull("text", WsLimits.ASKED_BYTES);
        String base64 = fields.textOrNull("chunk_b64", WsLimits.ASKED_BYTES);
        if (text == null == (base64 == null)) {
            throw JsonFields.wrong("stdin has either text or chunk_b64");
        }
        try {
            return text == null ? Base64.getDecoder().decode(base64) : text.getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong("chunk_b64 is not base64 (A-Z a-z 0-9 + / and = at its end): " + e.getMessage());
        }
    }

    private static String signal(String name) {
        try {
            Signal.parse(name);
            return name;
        } catch (IllegalArgumentException e) {
            throw JsonFields.wrong(String.valueOf(e.getMessage()));
        }
    }
}
