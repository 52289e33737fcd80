package io.penstock.engine.pump;

import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.linux.OrphanSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that have begun and not ended, a small file each, so that the next server knows what a dead one has left running.
 * A file is there before the task's first frame and goes after its last.
 */
final class LiveTaskFolder {

    /** As many as end and begin within the same moment. */
    private static final int SPARE_FILES = 256;

    private final Path folder;
    private final Path spareFolder;
    private final AtomicLong made = new AtomicLong();
    private final BlockingQueue<Path> spare = new LinkedBlockingQueue<>(SPARE_FILES);

    LiveTaskFolder(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.spareFolder = Files.createDirectories(folder.resolveSibling(folder.getFileName() + "-spare"));
        try (Stream<Path> files = Files.list(spareFolder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /**
     * A file of one that has ended becomes that of the new one: where many have just been deleted, a file system takes long
     * to make another (ext4 goes over all of the last five seconds), as much as all the rest of a short task.
     */
    void add(String taskId) throws IOException {
        Path file = spare.poll();
        if (file == null) {
            Files.writeString(folder.resolve(taskId), "");
        } else {
            Files.move(file, folder.resolve(taskId), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    void setProgram(String taskId, ProcessIdentity program) throws IOException {
        Files.writeString(folder.resolve(taskId), program.toString());
    }

    void remove(String taskId) throws IOException {
        Path file = folder.resolve(taskId);
        if (spare.remainingCapacity() == 0) {
            Files.deleteIfExists(file);
            return;
        }
        Path kept = spareFolder.resolve(Long.toString(made.incrementAndGet()));
        try {
            Files.move(file, kept, StandardCopyOption.ATOMIC_MOVE);
            Files.writeString(kept, "");
        } catch (NoSuchFileException e) {
            return; // it never began, or has been told already
        }
        if (!spare.offer(kept)) {
            Files.delete(kept);
        }
    }

    List<OrphanSession> left() throws IOException {
        var left = new ArrayList<OrphanSession>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                left.add(new OrphanSession(file.getFileName().toString(), program(file)));
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
