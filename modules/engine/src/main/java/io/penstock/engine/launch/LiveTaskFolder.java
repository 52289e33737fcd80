package io.penstock.engine.launch;

import io.penstock.engine.spawn.ProcessIdentity;
import io.penstock.engine.spawn.linux.OrphanSession;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A small file per living task, from which the next server learns what a dead one left running, and what to run again. The file is created
 * before the task's first frame and removed after its last.
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
        Path reused = spare.poll();
        if (reused == null) {
            TaskFile.create(folder.resolve(taskId)).close();
        } else {
            Files.move(reused, folder.resolve(taskId), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** As {@link #add(String)}, with the request in the file. */
    void add(String taskId, QueuedSpawn spawn) throws IOException {
        add(taskId);
        try (FileChannel file = FileChannel.open(folder.resolve(taskId), StandardOpenOption.WRITE)) {
            TaskFile.write(file, TaskFile.of(spawn));
        }
    }

    /** @param keepsRequest whether the request, if the file has one, stays there */
    void setProgram(String taskId, ProcessIdentity program, boolean keepsRequest) throws IOException {
        TaskFile.setProgram(folder.resolve(taskId), program, keepsRequest);
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
                orphans.add(new OrphanSession(file.getFileName().toString(), TaskFile.program(content(file))));
            }
        }
        return orphans;
    }

    /** The task with its program, which is unknown if it has no file here. */
    public OrphanSession orphan(String taskId) throws IOException {
        Path file = folder.resolve(taskId);
        return new OrphanSession(taskId, Files.exists(file) ? TaskFile.program(content(file)) : null);
    }

    /** What the task was started with; null if its file does not have it, or is damaged. */
    public @Nullable QueuedSpawn request(String taskId) throws IOException {
        try {
            return TaskFile.request(Files.readString(folder.resolve(taskId)));
        } catch (RuntimeException | CharacterCodingException e) {
            return null;
        }
    }

    private static String content(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }
}
