package io.penstock.engine.artifact.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The tasks whose outputs retention must keep, in a file: on a full disk, outputs are removed before the ledger can be asked. A task is
 * added before its pin is recorded, and removed if it is not pinned after all.
 */
public final class PinnedTasks {

    /** Changes of a task's pin that are being recorded. */
    private static final class Changes {
        private int count;
        private boolean overlap;
    }

    private final Path file;
    private final Map<String, Changes> changing = new HashMap<>();
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

    /**
     * A pin, or its end, is about to be recorded.
     *
     * @param pin whether the outputs must be kept from now on
     */
    public synchronized void begin(String taskId, boolean pin) throws IOException {
        if (pin && !tasks.contains(taskId)) {
            var more = new HashSet<>(tasks);
            more.add(taskId);
            write(more);
        }
        Changes open = changing.computeIfAbsent(taskId, first -> new Changes());
        open.count++;
        open.overlap |= open.count > 1;
    }

    /**
     * Ends what {@link #begin} began. Returns false if nothing is decided because other changes of the same task overlapped.
     *
     * @param pinned whether the task was pinned when this change had been recorded or refused
     */
    public synchronized boolean end(String taskId, boolean pinned) throws IOException {
        Changes open = Objects.requireNonNull(changing.get(taskId), "it has begun");
        open.count--;
        if (open.count > 0) {
            return true;
        }
        changing.remove(taskId);
        if (!open.overlap && !pinned && tasks.contains(taskId)) {
            var fewer = new HashSet<>(tasks);
            fewer.remove(taskId);
            write(fewer);
        }
        return !open.overlap;
    }

    /** All of them. */
    public Set<String> all() {
        return tasks;
    }

    /**
     * Keeps the outputs of these tasks and of no others.
     *
     * @param before {@link #all}, from before the pinned tasks were known; later ones stay
     */
    public synchronized void replace(Set<String> before, Set<String> pinned) throws IOException {
        var wanted = new HashSet<>(tasks);
        wanted.removeIf(task -> before.contains(task) && !changing.containsKey(task));
        wanted.addAll(pinned);
        if (!wanted.equals(tasks)) {
            write(wanted);
        }
    }

    private void write(Set<String> wanted) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, String.join("\n", wanted), StandardCharsets.UTF_8);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        tasks = Set.copyOf(wanted);
    }
}
