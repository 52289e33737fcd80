package io.penstock.engine.agent;

import io.penstock.engine.lines.LineReader;
import io.penstock.frames.WholeCharacters;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the output of an agent program as lines of JSON. Bytes that are no UTF-8 become U+FFFD. A line that is no JSON object is skipped,
 * because agents and the libraries that they load print warnings there; a program that prints nothing else does not speak the protocol.
 */
final class AgentLines implements LineReader.Lines {

    /**
     * Length of a line. Programs repeat a whole message or tool output in each update, so lines of some hundred kilobytes are usual; a line
     * without an end must not take the memory of the server.
     */
    static final int LINE_BYTES = 8 * 1024 * 1024;

    /** Lines in a row that are no JSON objects: more than the longest warning or stack trace. */
    static final int FOREIGN_LINES = 1000;

    /** Of a skipped line, in an error: enough to recognize it. */
    private static final int QUOTED_CHARS = 120;

    private final LineReader lines = new LineReader(LINE_BYTES, this);
    private final Function<String, @Nullable JsonObject> parser;
    private final Consumer<JsonObject> reader;
    private int foreign;
    private @Nullable String problem;

    AgentLines(Consumer<JsonObject> reader) {
        this(AgentLines::object, reader);
    }

    /** @param parser makes an object of a line; null if it is none */
    AgentLines(Function<String, @Nullable JsonObject> parser, Consumer<JsonObject> reader) {
        this.parser = parser;
        this.reader = reader;
    }

    /** Reads on; returns why the program cannot be understood any more, or null. */
    @Nullable
    String read(ByteBuffer bytes) {
        lines.read(bytes);
        return problem;
    }

    /** The output has ended: its last line may have no line feed. */
    @Nullable
    String end() {
        lines.end();
        return problem;
    }

    @Override
    public void tooLong() {
        if (problem == null) {
            problem = "it wrote a line of more than " + LINE_BYTES + " bytes";
        }
    }

    @Override
    public void line(byte[] utf8) {
        String line = new String(utf8, StandardCharsets.UTF_8);
        if (problem != null || line.isBlank()) {
            return;
        }
        JsonObject object = parser.apply(line);
        if (object != null) {
            foreign = 0;
            reader.accept(object);
            return;
        }
        foreign++;
        if (foreign > FOREIGN_LINES) {
            problem = "it wrote " + foreign + " lines in a row that are no JSON objects, the last: "
                    + WholeCharacters.beginning(line, QUOTED_CHARS);
        }
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
