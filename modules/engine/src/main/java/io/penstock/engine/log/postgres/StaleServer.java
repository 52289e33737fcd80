package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Postgres processes that still run on our data directory although their Penstock is dead.
 * <p>They are found by their working directory, which is the data directory, not by the number in a pid file. So an
 * unrelated process that got the number of a dead server is never touched, and the children of a killed server are
 * awaited as well (a new server refuses to start while they live).
 */
final class StaleServer {

    private static final Duration LAST_DEADLINE = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(10);

    private StaleServer() {}

    /** The caller holds the lock of the data directory, so no living Penstock owns the processes found. */
    static void settle(Path dataDirectory, Duration deadline) throws PostgresUnavailable, IOException {
        List<ProcessHandle> found = on(dataDirectory);
        if (!found.isEmpty()) {
            Optional<PostmasterPid> file = PostmasterPid.read(dataDirectory);
            for (ProcessHandle process : found) {
                if (file.isPresent() && file.get().pid() == process.pid()) {
                    Programs.signal(process.pid(), "INT");
                }
            }
            if (!awaitEnd(dataDirectory, deadline)) {
                on(dataDirectory).forEach(ProcessHandle::destroyForcibly);
                if (!awaitEnd(dataDirectory, LAST_DEADLINE)) {
                    throw new PostgresUnavailable(
                            "Another Postgres (process " + found.getFirst().pid() + ") runs on " + dataDirectory
                                    + " and does not end: stop it, then start Penstock again.");
                }
            }
        }
        // No process of ours is alive here, so the number in the file is free or belongs to a zombie or an unrelated
        // process; in the latter two cases Postgres itself would refuse to start. Its own guard, the shared memory of
        // the directory, stays in force.
        Files.deleteIfExists(PostmasterPid.file(dataDirectory));
    }

    static List<ProcessHandle> on(Path dataDirectory) throws IOException {
        var found = new ArrayList<ProcessHandle>();
        Path real = dataDirectory.toRealPath();
        try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (isPostgresOn(process, real)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(found::add);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private static boolean isPostgresOn(Path process, Path dataDirectory) {
        try {
            return Files.readString(process.resolve("comm")).strip().equals("postgres")
                    && Files.readSymbolicLink(process.resolve("cwd")).equals(dataDirectory);
        } catch (IOException e) {
            // It has ended meanwhile, is a zombie, or belongs to another account.
            return false;
        }
    }

    /** Searches anew each time: an unreaped zombie would count as alive to a wait for its process id. */
    private static boolean awaitEnd(Path dataDirectory, Duration deadline) throws PostgresUnavailable, IOException {
        long begin = System.nanoTime();
        while (!on(dataDirectory).isEmpty()) {
            if (System.nanoTime() - begin > deadline.toNanos()) {
                return false;
            }
            try {
                Thread.sleep(POLL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new PostgresUnavailable("Waiting for an earlier Postgres to end was interrupted.", e);
            }
        }
        return true;
    }
}
