package io.penstock.engine.launch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A file per queued task, from before the task is accepted until just before its program is started. Only this server's user
 * may read it, because it contains values of environment variables.
 */
public final class QueueFolder {

    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Before the name of a file that is being written. No task's id begins like this. */
    private static final String UNFINISHED = ".";

    private final Path folder;
    private final Path live;
    private final boolean forced;
    private final Set<String> queued = ConcurrentHashMap.newKeySet();
    private final QueueBytes bytes = new QueueBytes();

    /**
     * @param live the folder of the living tasks
     * @param forced whether queued tasks must survive a power cut
     */
    QueueFolder(Path folder, Path live, boolean forced) throws IOException {
        this.folder = Files.createDirectories(folder, FOLDER);
        this.live = live;
        this.forced = forced;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String taskId = file.getFileName().toString();
                if (taskId.startsWith(UNFINISHED)) {
                    Files.delete(file);
                    continue;
                }
                queued.add(taskId);
                // The session is known once the file is read.
                bytes.add(taskId, null, Files.size(file));
            }
        }
    }

    public List<String> taskIds() {
        return List.copyOf(queued);
    }

    public boolean contains(String taskId) {
        return queued.contains(taskId);
    }

    /**
     * Writes the task's file, which then survives the death of this process; leaves nothing behind on failure. Fails with
     * {@code QUOTA_EXCEEDED} if the queue, or the part of its session, has no room for its bytes.
     */
    void add(String taskId, QueuedSpawn spawn) throws IOException {
        ByteBuffer content = TaskFile.of(spawn);
        bytes.reserve(taskId, spawn.request().originSessionId(), content.remaining());
        try {
            write(folder.resolve(taskId), content);
        } catch (IOException | RuntimeException e) {
            bytes.release(taskId);
            throw e;
        }
        queued.add(taskId);
    }

    /** For a task that was accepted before it had to wait: added however full the queue is. */
    public void addAccepted(String taskId, QueuedSpawn spawn) throws IOException {
        ByteBuffer content = TaskFile.of(spawn);
        int length = content.remaining();
        write(folder.resolve(taskId), content);
        bytes.add(taskId, spawn.request().originSessionId(), length);
        queued.add(taskId);
    }

    /** For a task that a dead server left running. Replaces the file, if there is one, in one step. */
    public void requeue(String taskId, QueuedSpawn spawn) throws IOException {
        Path unfinished = folder.resolve(UNFINISHED + taskId);
        Files.deleteIfExists(unfinished);
        ByteBuffer content = TaskFile.of(spawn);
        int length = content.remaining();
        write(unfinished, content);
        Files.move(unfinished, folder.resolve(taskId), StandardCopyOption.ATOMIC_MOVE);
        if (forced) {
            forceFolder();
        }
        bytes.add(taskId, spawn.request().originSessionId(), length);
        queued.add(taskId);
    }

    private void write(Path file, ByteBuffer content) throws IOException {
        try (FileChannel channel = TaskFile.create(file)) {
            TaskFile.write(channel, content);
            if (forced) {
                channel.force(true);
                forceFolder();
            }
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private void forceFolder() throws IOException {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    public QueuedSpawn read(String taskId) throws IOException {
        String text = Files.readString(folder.resolve(taskId));
        try {
            QueuedSpawn spawn = Objects.requireNonNull(TaskFile.request(text), "it is empty");
            bytes.assignSession(taskId, spawn.request().originSessionId());
            return spawn;
        } catch (RuntimeException e) {
            // Without its cause, which quotes the file.
            throw new IOException("its file in the queue is damaged: its " + text.length()
                    + " characters do not describe a task (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** Moves the file to the living tasks in one step, so that a later server finds the task in one folder or the other. */
    public void claim(String taskId) throws IOException {
        Files.move(folder.resolve(taskId), live.resolve(taskId), StandardCopyOption.ATOMIC_MOVE);
        queued.remove(taskId);
        bytes.release(taskId);
    }

    /** Removes the task from the queue; does nothing if it is not in it. */
    public void forget(String taskId) throws IOException {
        if (queued.remove(taskId)) {
            bytes.release(taskId);
            Files.deleteIfExists(folder.resolve(taskId));
        }
    }
}
