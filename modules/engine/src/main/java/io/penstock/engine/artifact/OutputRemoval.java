package io.penstock.engine.artifact;

import io.penstock.engine.artifact.file.ArtifactFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** Removes the outputs of tasks that were removed. Its memory is bounded by the largest directory. */
final class OutputRemoval {

    /** Ids in one question. */
    private static final int AT_ONCE = 1_000;

    private final ArtifactFiles files;
    private final Predicate<String> remove;
    private long removed;

    /** @param remove removes an artifact and returns whether it could */
    OutputRemoval(ArtifactFiles files, Predicate<String> remove) {
        this.files = files;
        this.remove = remove;
    }

    /**
     * @param removedTasks answers which of some tasks were removed
     * @return how many outputs were removed
     */
    long run(Function<List<String>, Set<String>> removedTasks) throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(files.root(), "[0-9a-f][0-9a-f]")) {
            for (Path directory : directories) {
                Map<String, Set<String>> outputs = outputs(directory);
                var tasks = new ArrayList<>(outputs.keySet());
                for (int from = 0; from < tasks.size(); from += AT_ONCE) {
                    for (String task :
                            removedTasks.apply(tasks.subList(from, Math.min(tasks.size(), from + AT_ONCE)))) {
                        remove(outputs.getOrDefault(task, Set.of()));
                    }
                }
            }
        }
        return removed;
    }

    private void remove(Set<String> artifacts) throws IOException {
        for (String id : artifacts) {
            if (remove.test(id)) {
                Files.deleteIfExists(files.deletion(id));
                removed++;
            }
        }
    }

    /** The ids of outputs in a directory, by task. */
    private static Map<String, Set<String>> outputs(Path directory) throws IOException {
        var outputs = new HashMap<String, Set<String>>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                int suffix = name.lastIndexOf('.');
                String id = suffix < 0 ? name : name.substring(0, suffix);
                int dot = id.lastIndexOf('.');
                if (dot > 0 && ArtifactFiles.isId(id)) {
                    outputs.computeIfAbsent(id.substring(0, dot), task -> new HashSet<>())
                            .add(id);
                }
            }
        }
        return outputs;
    }
}
