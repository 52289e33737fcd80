package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs the small programs that a start of Postgres needs, in an environment that says nothing. */
final class Programs {

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private Programs() {}

    record Finished(int exit, String output) {
        String lastLine() {
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            return lines.isEmpty() ? "exit code " + exit : lines.getLast().strip();
        }
    }

    static Path find(String name) throws PostgresUnavailable {
        String path = System.getenv("PATH");
        for (String directory : ((path == null ? "" : path + ":") + PATH).split(":")) {
            Path candidate = Path.of(directory, name);
            if (candidate.isAbsolute() && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        throw new PostgresUnavailable("The program '" + name + "', with which Penstock starts Postgres, is not"
                + " installed: install util-linux, or name a Postgres of yours with --database.");
    }

    /** PGDATA, PGPORT, LANG and the like of whoever started Penstock must not reach its Postgres. */
    static ProcessBuilder builder(List<String> command) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", PATH, "LC_ALL", "C", "TZ", "UTC"));
        // Wherever Penstock was started may be closed to the account that Postgres runs under.
        return builder.directory(Path.of("/").toFile());
    }

    static Finished run(List<String> command) throws PostgresUnavailable {
        return run(command, "");
    }

    static Finished run(List<String> command, String input) throws PostgresUnavailable {
        try {
            Process process = builder(command).start();
            try (InputStream out = process.getInputStream()) {
                try (var in = process.getOutputStream()) {
                    in.write(input.getBytes(StandardCharsets.UTF_8));
                }
                String output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
                return new Finished(process.waitFor(), output);
            } finally {
                process.destroy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PostgresUnavailable("Starting Postgres was interrupted.", e);
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "The program " + command.getFirst() + " could not be run: " + e.getMessage() + ".", e);
        }
    }

    /** The shell's own kill: the program of that name is not everywhere. */
    static void signal(long pid, String name) throws PostgresUnavailable {
        run(List.of("/bin/sh", "-c", "kill -" + name + " " + pid));
    }
}
