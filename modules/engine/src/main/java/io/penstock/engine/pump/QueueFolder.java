package io.penstock.engine.pump;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The tasks that wait for their turn, a file each: there before the task is accepted, and until just before its program is started. For
 * this server's user only, since values of environment variables are in it.
 */
final class QueueFolder {

    private static final FileAttribute<Set<PosixFilePermission>> FOLDER = only("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> FILE = only("rw-------");

    private final Path folder;
    private final Path live;
    private final boolean forced;
    private final Set<String> waiting = ConcurrentHashMap.newKeySet();
    private final QueueBytes bytes = new QueueBytes();

    /**
     * @param live where it is noted which tasks live
     * @param forced whether a power cut must take nothing of what is kept either
     */
    QueueFolder(Path folder, Path live, boolean forced) throws IOException {
        this.folder = Files.createDirectories(folder, FOLDER);
        this.live = live;
        this.forced = forced;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String taskId = file.getFileName().toString();
                waiting.add(taskId);
                // Its session is known once the file is read.
                bytes.add(taskId, null, Files.size(file));
            }
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> only(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Those that waited when this was opened and all that were kept since, but for those that were taken or forgotten. */
    List<String> waiting() {
        return List.copyOf(waiting);
    }

    boolean contains(String taskId) {
        return waiting.contains(taskId);
    }

    /**
     * Survives the death of this process when it returns; leaves nothing where it fails. Fails with {@code QUOTA_EXCEEDED} when the queue,
     * or the part of its session, has no room for so many bytes.
     */
    void add(String taskId, QueuedSpawn spawn) throws IOException {
        byte[] json = spawn.toJson().encode().getBytes(StandardCharsets.UTF_8);
        bytes.reserve(taskId, spawn.request().originSessionId(), json.length);
        try {
            write(folder.resolve(taskId), ByteBuffer.wrap(json));
        } catch (IOException | RuntimeException e) {
            bytes.release(taskId);
            throw e;
        }
        waiting.add(taskId);
    }

    /** One that was accepted before it came to the queue: it is kept however full the queue is. */
    void keepAccepted(String taskId, QueuedSpawn spawn) throws IOException {
        byte[] json = spawn.toJson().encode().getBytes(StandardCharsets.UTF_8);
        write(folder.resolve(taskId), ByteBuffer.wrap(json));
        bytes.add(taskId, spawn.request().originSessionId(), json.length);
        waiting.add(taskId);
    }

    private void write(Path file, ByteBuffer json) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), FILE)) {
            while (json.hasRemaining()) {
                channel.write(json);
            }
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

    QueuedSpawn read(String taskId) throws IOException {
        String text = Files.readString(folder.resolve(taskId));
        try {
            QueuedSpawn spawn = QueuedSpawn.read(new JsonObject(text));
            bytes.belongsTo(taskId, spawn.request().originSessionId());
            return spawn;
        } catch (RuntimeException e) {
            // Not with its cause, which quotes what is in the file.
            throw new IOException("its file in the queue is not what was written there, " + text.length()
                    + " characters that are no waiting task (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** It waits no more: from one moment to the next it is a task that lives, so that a later server finds it as that. */
    void claim(String taskId) throws IOException {
        Files.move(folder.resolve(taskId), live.resolve(taskId), StandardCopyOption.ATOMIC_MOVE);
        waiting.remove(taskId);
        bytes.release(taskId);
    }

    /** It will not be started. */
    void forget(String taskId) throws IOException {
        if (waiting.remove(taskId)) {
            bytes.release(taskId);
            Files.deleteIfExists(folder.resolve(taskId));
        }
    }
}
