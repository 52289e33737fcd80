package io.penstock.engine.screen;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The formats of recordings: asciicast, with a header line of JSON and a line for each event. */
public enum CastFormat {
    /** Times count from the start; has no exit event. */
    V2,
    /** Times count from the previous event. */
    V3;

    /** The same value that tasks get in their environment. */
    private static final String TERM = "xterm-256color";

    String header(int rows, int cols, long startedAtMs, @Nullable String title) {
        long seconds = startedAtMs / 1000;
        var header = new StringBuilder();
        switch (this) {
            case V2 ->
                header.append("{\"version\": 2, \"width\": ")
                        .append(cols)
                        .append(", \"height\": ")
                        .append(rows);
            case V3 ->
                header.append("{\"version\": 3, \"term\": {\"cols\": ")
                        .append(cols)
                        .append(", \"rows\": ")
                        .append(rows)
                        .append(", \"type\": \"")
                        .append(TERM)
                        .append("\"}");
        }
        header.append(", \"timestamp\": ").append(seconds);
        if (title != null) {
            header.append(", \"title\": ");
            quoted(header, title);
        }
        return header.append(", \"env\": {\"TERM\": \"")
                .append(TERM)
                .append("\"}}\n")
                .toString();
    }

    /**
     * @param sinceStartMs time of the event
     * @param beforeMs time of the previous event, since the start
     */
    void event(StringBuilder out, long sinceStartMs, long beforeMs, char code, String data) {
        long ms = switch (this) {
            case V2 -> sinceStartMs;
            case V3 -> sinceStartMs - beforeMs;
        };
        out.append(String.format(Locale.ROOT, "[%d.%03d, \"%c\", ", ms / 1000, ms % 1000, code));
        quoted(out, data);
        out.append("]\n");
    }

    private static void quoted(StringBuilder out, String text) {
        out.append('"');
        JsonStringEncoder.getInstance().quoteAsString(text, out);
        out.append('"');
    }
}
