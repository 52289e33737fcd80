package io.penstock.engine.launch;

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
 * A small file per living task, from which the next server learns what a dead one left running. The file is created before
 * the task's first frame and removed after its last.
 */
public final class LiveTaskFolder {

    /** Enough for the tasks that end and begin at about the same time. */
    private static final int SPARE_FILES = 256;

    private final Path folder;
    private final Path spareFolder;
    private final AtomicLong spareFiles = new AtomicLong();
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
     * Reuses the file of an ended task: after many deletions a file system is slow to create a file (ext4 walks those of the
     * last five seconds), as slow as all the rest of a short task.
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

    /** Does nothing if the task has no file. */
    public void remove(String taskId) throws IOException {
        Path file = folder.resolve(taskId);
        if (spare.remainingCapacity() == 0) {
            Files.deleteIfExists(file);
            return;
        }
        Path kept = spareFolder.resolve(Long.toString(spareFiles.incrementAndGet()));
        try {
            Files.move(file, kept, StandardCopyOption.ATOMIC_MOVE);
            Files.writeString(kept, "");
        } catch (NoSuchFileException e) {
            return;
        }
        if (!spare.offer(kept)) {
            Files.delete(kept);
        }
    }

    /** The tasks that have a file, with their programs. */
    public List<OrphanSession> orphans() throws IOException {
        var orphans = new ArrayList<OrphanSession>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                orphans.add(new OrphanSession(file.getFileName().toString(), program(file)));
            }
        }
        return orphans;
    }

    /** Null if the program was not started, or if a power cut took the content of the file. */
    private static @Nullable ProcessIdentity program(Path file) throws IOException {
        try {
            return ProcessIdentity.parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
