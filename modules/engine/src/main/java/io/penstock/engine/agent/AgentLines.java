package io.penstock.engine.agent;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the output of an agent program into lines of JSON, at line feeds only. Bytes that are no UTF-8 become U+FFFD. A line that is no
 * JSON object is skipped, because agents and the libraries that they load print warnings there; a program that prints nothing else does
 * not speak the protocol.
 */
final class AgentLines {

    /**
     * Length of a line. Programs repeat a whole message or tool output in each update, so lines of some hundred kilobytes are usual; a line
     * without an end must not take the memory of the server.
     */
    static final int LINE_BYTES = 8 * 1024 * 1024;

    /** Lines in a row that are no JSON objects: more than the longest warning or stack trace. */
    static final int FOREIGN_LINES = 1000;

    /** Of a skipped line, in an error: enough to recognize it. */
    private static final int QUOTED_CHARS = 120;

    /** Buffers above this size are given back after the line. */
    private static final int KEPT_BYTES = 64 * 1024;

    private static final byte[] EMPTY = {};

    private final Function<String, @Nullable JsonObject> parser;
    private byte[] part = EMPTY;
    private int size;
    private int foreign;

    AgentLines() {
        this(AgentLines::object);
    }

    /** @param parser makes an object of a line; null if it is none */
    AgentLines(Function<String, @Nullable JsonObject> parser) {
        this.parser = parser;
    }

    /** Reads on; returns why the program cannot be understood any more, or null. */
    @Nullable
    String read(ByteBuffer bytes, Consumer<JsonObject> reader) {
        while (bytes.hasRemaining()) {
            int end = lineEnd(bytes);
            int length = (end < 0 ? bytes.limit() : end) - bytes.position();
            if (size + length > LINE_BYTES) {
                part = EMPTY;
                size = 0;
                return "it wrote a line of more than " + LINE_BYTES + " bytes";
            }
            append(bytes, length);
            if (end < 0) {
                return null;
            }
            bytes.get();
            String problem = endLine(reader);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** The output has ended: its last line may have no line feed. */
    @Nullable
    String end(Consumer<JsonObject> reader) {
        return endLine(reader);
    }

    private static int lineEnd(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) == '\n') {
                return i;
            }
        }
        return -1;
    }

    private void append(ByteBuffer bytes, int length) {
        if (size + length > part.length) {
            part = Arrays.copyOf(part, Math.max(size + length, Math.min(2 * part.length, LINE_BYTES)));
        }
        bytes.get(part, size, length);
        size += length;
    }

    private @Nullable String endLine(Consumer<JsonObject> reader) {
        String line = new String(part, 0, size, StandardCharsets.UTF_8);
        size = 0;
        if (part.length > KEPT_BYTES) {
            part = EMPTY;
        }
        if (line.isBlank()) {
            return null;
        }
        JsonObject object = parser.apply(line);
        if (object == null) {
            foreign++;
            return foreign <= FOREIGN_LINES
                    ? null
                    : "it wrote " + foreign + " lines in a row that are no JSON objects, the last: "
                            + line.substring(0, Math.min(line.length(), QUOTED_CHARS));
        }
        foreign = 0;
        reader.accept(object);
        return null;
    }

    static @Nullable JsonObject object(String line) {
        if (!line.stripLeading().startsWith("{")) {
            return null;
        }
        try {
            return new JsonObject(line);
        } catch (DecodeException e) {
            return null;
        }
    }
}
