package io.penstock.engine.screen;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How recordings are written: asciicast, a line of JSON for what it is and one for each event. */
public enum CastFormat {
    /** Times since the beginning; no end. */
    V2,
    /** Times since the event before. */
    V3;

    /** As programs in tasks are told it. */
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
     * @param sinceStartMs when it happened
     * @param beforeMs when the event before it happened
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
