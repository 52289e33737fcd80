package io.penstock.server.failure;

import io.penstock.server.request.HttpLimits;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs what callers caused. Callers can be hostile: control characters, which an operator's terminal would interpret,
 * are escaped, and lines beyond a limit are only counted.
 */
final class RequestLog {

    private static final int LINE_CHARS = 1024;

    private final Logger log;
    private final LongSupplier nanos;
    private long secondBegan;
    private int lines;
    private long dropped;

    RequestLog(Logger log) {
        this(log, System::nanoTime);
    }

    RequestLog(Logger log, LongSupplier nanos) {
        this.log = log;
        this.nanos = nanos;
        this.secondBegan = nanos.getAsLong();
    }

    void warn(String line) {
        if (hasRoom()) {
            log.warn("{}", escaped(line));
        }
    }

    /** @param cause a defect of this program, whose stack trace is logged too */
    void error(String line, @Nullable Throwable cause) {
        if (hasRoom()) {
            log.error(escaped(line), cause);
        }
    }

    private synchronized boolean hasRoom() {
        long now = nanos.getAsLong();
        if (now - secondBegan >= TimeUnit.SECONDS.toNanos(1)) {
            if (dropped > 0) {
                log.warn("{} more lines about requests were dropped within a second", dropped);
            }
            secondBegan = now;
            lines = 0;
            dropped = 0;
        }
        if (lines < HttpLimits.LOG_LINES_PER_SECOND) {
            lines++;
            return true;
        }
        dropped++;
        return false;
    }

    static String escaped(String text) {
        var line = new StringBuilder();
        for (int i = 0; i < text.length() && line.length() < LINE_CHARS; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c)
                    || Character.getType(c) == Character.FORMAT
                    || c == '\u2028'
                    || c == '\u2029') {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.length() < LINE_CHARS ? line.toString() : line.append('…').toString();
    }
}
