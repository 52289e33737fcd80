package io.penstock.bench.load;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@code ./penstock load}.
 *
 * @param connections over which tasks are spawned concurrently
 * @param perSecond tasks started per second; 0 for as fast as possible
 * @param everyMs time between two lines; 0 for no pause
 * @param bulk bytes that each task writes at once, after its lines
 * @param url of a running server; null to start one
 */
record LoadOptions(
        int tasks,
        int viewers,
        int connections,
        int perSecond,
        int lines,
        int lineBytes,
        int everyMs,
        long bulk,
        String mode,
        @Nullable String url,
        @Nullable Path tokenFile,
        @Nullable Path json) {

    LoadOptions {
        require("--tasks", tasks, 1);
        require("--viewers", viewers, 0);
        require("--connections", connections, 1);
        require("--rate", perSecond, 0);
        require("--lines", lines, 0);
        require("--line-bytes", lineBytes, 32);
        require("--every", everyMs, 0);
        require("--bulk", bulk, 0);
        if (!mode.equals("pipes") && !mode.equals("pty")) {
            throw new IllegalArgumentException("--mode is pipes or pty, not " + mode);
        }
    }

    private static void require(String option, long number, long least) {
        if (number < least) {
            throw new IllegalArgumentException(option + " is " + least + " or more, not " + number);
        }
    }

    /** The program of each task: without output, the shortest one there is. */
    JsonObject tool() {
        boolean silent = lines == 0 && bulk == 0;
        var args = new JsonObject().put("artifact_max_bytes", 1L << 40);
        return new JsonObject()
                .put("tool", silent ? "exec" : "bash")
                .put(
                        "args",
                        silent ? args.put("argv", new JsonArray().add("/bin/true")) : args.put("command", script()))
                .put("execution_mode", mode);
    }

    /** A shell script. A line begins with its number and its time in microseconds. */
    private String script() {
        var script = new StringBuilder();
        if (lines > 0) {
            String rest = "x".repeat(Math.max(0, lineBytes - 30));
            String pause = "";
            if (everyMs > 0) {
                // Waiting for input that never comes pauses without another program.
                script.append("exec {never}<> <(:); ");
                pause = "; read -t " + everyMs / 1000 + "." + String.format("%03d", everyMs % 1000) + " -u $never";
            }
            script.append("for ((i = 0; i < " + lines + "; i++)); do echo \"$i @$EPOCHREALTIME " + rest + "\"" + pause
                    + "; done; ");
        }
        if (bulk > 0) {
            script.append(
                    "head -c " + bulk + " <(yes 'a line of a program that has a lot to say, one like the other')");
        }
        return script.toString();
    }
}
