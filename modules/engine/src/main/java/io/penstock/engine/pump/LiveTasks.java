package io.penstock.engine.pump;

import io.penstock.engine.spawn.ProcessIdentity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that have begun and not ended, a small file each, so that the next server knows what a dead one has left running.
 * A file is there before the task's first frame and goes after its last.
 */
final class LiveTasks {

    /** A task that was left, and the program that ran as it, if it had been started. */
    record Left(String taskId, @Nullable ProcessIdentity program) {}

    private final Path folder;

    LiveTasks(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    void begins(String taskId) throws IOException {
        Files.writeString(folder.resolve(taskId), "");
    }

    void runs(String taskId, ProcessIdentity program) throws IOException {
        Files.writeString(folder.resolve(taskId), program.toString());
    }

    void ended(String taskId) throws IOException {
        Files.deleteIfExists(folder.resolve(taskId));
    }

    List<Left> left() throws IOException {
        var left = new ArrayList<Left>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                left.add(new Left(file.getFileName().toString(), program(file)));
            }
        }
        return left;
    }

    /** A power cut may have taken what was in the file, and with it the program. */
    private static @Nullable ProcessIdentity program(Path file) throws IOException {
        try {
            return ProcessIdentity.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
