package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;

/**
 * The tasks whose outputs retention must keep, in a file: on a full disk, outputs are removed before the ledger can be asked. A task is
 * added before its pin is recorded; the ones that are not pinned after all are removed later.
 */
public final class PinnedTasks {

    private final Path file;
    private volatile Set<String> tasks;

    public PinnedTasks(Path file) {
        this.file = file;
        this.tasks = read(file);
    }

    private static Set<String> read(Path file) {
        try {
            return Files.exists(file) ? Set.copyOf(new HashSet<>(Files.readAllLines(file))) : Set.of();
        } catch (IOException e) {
            throw new ArtifactsUnavailable(
                    "The list of pinned tasks " + file + " cannot be read (" + e.getMessage()
                            + "): make it readable, or delete it to lose the pins' protection for a moment.",
                    e);
        }
    }

    public boolean has(String artifactId) {
        int dot = artifactId.lastIndexOf('.');
        return dot > 0 && tasks.contains(artifactId.substring(0, dot));
    }

    public synchronized void add(String taskId) throws IOException {
        if (!tasks.contains(taskId)) {
            var more = new HashSet<>(tasks);
            more.add(taskId);
            replace(more);
        }
    }

    public synchronized void replace(Set<String> pinned) throws IOException {
        if (pinned.equals(tasks)) {
            return;
        }
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, String.join("\n", pinned), StandardCharsets.UTF_8);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        tasks = Set.copyOf(pinned);
    }
}
