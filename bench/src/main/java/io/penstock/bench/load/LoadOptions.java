package io.penstock.bench.load;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ./penstock load} was asked for.
 *
 * @param connections on which tasks are spawned at once
 * @param perSecond tasks begun each second; 0 for as fast as they go
 * @param everyMs between two lines; 0 for without a pause
 * @param bulk bytes that each task writes at once, beside its lines
 * @param url of a server that is there already; null for one of our own
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

    static final String USAGE = """
            usage: ./penstock load [OPTIONS]
              --tasks N         tasks to run in all (default 500)
              --viewers M       viewers of each task, from its first frame to its end (1)
              --connections C   over which tasks are spawned at once (8)
              --rate R          tasks begun each second; 0 begins the next when one has ended (0)
              --lines L         lines that each task writes, each with the time at which it was written (10)
              --line-bytes B    of each line, about (100)
              --every MS        between two lines of a task (0)
              --bulk BYTES      that each task writes at once, after its lines (0)
              --mode MODE       pipes or pty (pipes)
              --url URL         of a running server; without it, one is started for this and ended again
              --token-file FILE the access token of that server; without it, none is sent
              --json FILE       all figures, for programs""";

    LoadOptions {
        if (!mode.equals("pipes") && !mode.equals("pty")) {
            throw new IllegalArgumentException("--mode is pipes or pty, not " + mode);
        }
    }

    static LoadOptions of(List<String> words) {
        int tasks = 500;
        int viewers = 1;
        int connections = 8;
        int rate = 0;
        int lines = 10;
        int lineBytes = 100;
        int every = 0;
        long bulk = 0;
        String mode = "pipes";
        String url = null;
        Path tokenFile = null;
        Path json = null;
        for (int i = 0; i < words.size(); i += 2) {
            String option = words.get(i);
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException(option + " needs a value");
            }
            String value = words.get(i + 1);
            switch (option) {
                case "--tasks" -> tasks = (int) number(option, value, 1);
                case "--viewers" -> viewers = (int) number(option, value, 0);
                case "--connections" -> connections = (int) number(option, value, 1);
                case "--rate" -> rate = (int) number(option, value, 0);
                case "--lines" -> lines = (int) number(option, value, 0);
                case "--line-bytes" -> lineBytes = (int) number(option, value, 32);
                case "--every" -> every = (int) number(option, value, 0);
                case "--bulk" -> bulk = number(option, value, 0);
                case "--mode" -> mode = value;
                case "--url" -> url = value;
                case "--token-file" -> tokenFile = Path.of(value);
                case "--json" -> json = Path.of(value);
                default -> throw new IllegalArgumentException("there is no option " + option);
            }
        }
        return new LoadOptions(
                tasks, viewers, connections, rate, lines, lineBytes, every, bulk, mode, url, tokenFile, json);
    }

    private static long number(String option, String value, long least) {
        try {
            long number = Long.parseLong(value);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, as a number out of range is.
        }
        throw new IllegalArgumentException(option + " is " + value + " and must be a number of at least " + least);
    }

    /** What each task runs: without output, the shortest program there is. */
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

    /** For the shell. A line begins with its number and has its time, in microseconds. */
    private String script() {
        var script = new StringBuilder();
        if (lines > 0) {
            String rest = "x".repeat(Math.max(0, lineBytes - 30));
            String pause = "";
            if (everyMs > 0) {
                // Waiting for input that never comes is a pause without another program.
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
