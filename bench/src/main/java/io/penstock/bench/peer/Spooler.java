package io.penstock.bench.peer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code bench/peers/spooler.sh}: Debian's task-spooler, which records output and exit codes. */
public final class Spooler {

    private static final Path SCRIPT = Path.of("peers", "spooler.sh");
    private static final Pattern SAID = Pattern.compile("\\d+ tasks in ([\\d.]+) s.*");

    private Spooler() {}

    public static Optional<Path> program() {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, "tsp"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Returns how long this many programs took, eight at a time. */
    public static double seconds(int tasks) throws IOException, InterruptedException {
        return seconds(tasks, 8, "ended");
    }

    /** Returns how long this many programs took whose outputs are read, so many at a time. */
    public static double secondsWithOutput(int tasks, int atOnce) throws IOException, InterruptedException {
        return seconds(tasks, atOnce, "output");
    }

    private static double seconds(int tasks, int atOnce, String until) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        "bash", Peers.file(SCRIPT).toString(), String.valueOf(tasks), String.valueOf(atOnce), until)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        ChildProcesses.with(process);
        String last = "";
        try (var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                last = line;
            }
        }
        Matcher matcher = SAID.matcher(last);
        if (process.waitFor() != 0 || !matcher.matches()) {
            throw new IOException("task-spooler could not be measured; its script printed " + last);
        }
        return Double.parseDouble(matcher.group(1));
    }
}
