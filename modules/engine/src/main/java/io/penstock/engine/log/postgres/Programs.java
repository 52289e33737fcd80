package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs the small programs needed to start Postgres, in an empty environment. */
final class Programs {

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Waiting for a slow disk, a program may use no processor time for a while. */
    private static final Duration USUALLY_HUNG_AFTER = Duration.ofMinutes(5);

    private static final long LOOK_EVERY_SECONDS = 1;

    private Programs() {}

    record Finished(int exit, String output) {
        String lastLine() {
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            return lines.isEmpty() ? "exit code " + exit : lines.getLast().strip();
        }

        /** The first line with a complaint of a Postgres program, or else the last line. */
        String complaint() {
            return output.lines()
                    .filter(line -> line.contains("error:") || line.contains("FATAL:") || line.contains("PANIC:"))
                    .findFirst()
                    .map(String::strip)
                    .orElse(lastLine());
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

    /** PGDATA, PGPORT, LANG and the like from Penstock's environment must not reach its Postgres. */
    static ProcessBuilder builder(List<String> command) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", PATH, "LC_ALL", "C", "TZ", "UTC"));
        // Penstock's working directory may be closed to the account that Postgres runs under.
        return builder.directory(Path.of("/").toFile());
    }

    static Finished run(List<String> command) throws PostgresUnavailable {
        return run(command, "");
    }

    static Finished run(List<String> command, String input) throws PostgresUnavailable {
        return run(command, input, USUALLY_HUNG_AFTER);
    }

    /** @param hungAfter a program that uses no processor time for so long is killed */
    static Finished run(List<String> command, String input, Duration hungAfter) throws PostgresUnavailable {
        try {
            Process process = builder(command).start();
            Thread.ofVirtual().start(() -> endIfItHangs(process, hungAfter));
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

    /** Most of them run other programs, such as initdb, which runs Postgres. */
    private static void endIfItHangs(Process process, Duration hungAfter) {
        var watch = new HangWatch(hungAfter, System::nanoTime);
        try {
            while (!process.waitFor(LOOK_EVERY_SECONDS, TimeUnit.SECONDS)) {
                List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                        .toList();
                if (watch.isHung(HangWatch.processorTime(all))) {
                    all.forEach(ProcessHandle::destroyForcibly);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The shell's built-in kill: the program of that name is not installed everywhere. */
    static void signal(long pid, String name) throws PostgresUnavailable {
        run(List.of("/bin/sh", "-c", "kill -" + name + " " + pid));
    }
}
