package io.penstock.bench.faults;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A task that must run exactly once: it writes its key into a file of the workspace, and then known lines.
 *
 * @param lines how many lines it writes, each the key and a number
 */
record Work(String key, Kind kind, int lines) {

    enum Kind {
        /** Ends within milliseconds. */
        QUICK,
        /** Writes slowly for seconds, so that faults hit it. */
        SLOW,
        /** Writes megabytes. */
        FLOOD,
        /** Runs on a terminal. */
        TERMINAL,
        /** Ignores TERM, and is cancelled. */
        STUBBORN
    }

    static Work random(SplittableRandom random) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        int lines = switch (kind) {
            case QUICK, TERMINAL -> 20;
            case SLOW -> 20 + random.nextInt(60);
            case FLOOD -> 20_000 + random.nextInt(60_000);
            case STUBBORN -> 1;
        };
        return new Work(new UUID(random.nextLong(), random.nextLong()).toString(), kind, lines);
    }

    String request() {
        String write = "seq -f '" + key + " %.0f' 1 " + lines;
        String command = "echo " + key + " >> ran; "
                + switch (kind) {
                    case QUICK, FLOOD, TERMINAL -> write;
                    case SLOW -> "for i in $(seq 1 " + lines + "); do echo " + key + " $i; sleep 0.1; done";
                    case STUBBORN -> "trap '' TERM; " + write + "; sleep 300";
                };
        return new JsonObject()
                .put("tool", "bash")
                .put("execution_mode", kind == Kind.TERMINAL ? "pty" : "pipes")
                .put("args", new JsonObject().put("command", command))
                .encode();
    }

    String channel() {
        return kind == Kind.TERMINAL ? "pty" : "stdout";
    }

    /** Its complete output if nothing ends it early. */
    byte[] output() {
        String end = kind == Kind.TERMINAL ? "\r\n" : "\n";
        var text = new StringBuilder();
        for (int i = 1; i <= lines; i++) {
            text.append(key).append(' ').append(i).append(end);
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static String digest(byte[] bytes) {
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java machine has SHA-256", e);
        }
    }
}
