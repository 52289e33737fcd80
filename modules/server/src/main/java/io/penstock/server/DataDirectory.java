package io.penstock.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A server's data directory, held by one process at a time. */
final class DataDirectory implements AutoCloseable {

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    /** A process that can open the file could lock it and keep Penstock from starting. */
    private static final String LOCK_MODE = "rw-------";

    private final Path path;
    private final FileChannel lock;

    private DataDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    Path path() {
        return path;
    }

    private static FileAttribute<Set<PosixFilePermission>> only(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** The default data directory. */
    static Path defaultPath(Map<String, String> environment) {
        return ROOT
                ? Path.of("/var/lib/penstock")
                : userFolder(environment, "XDG_DATA_HOME", ".local/share").resolve("penstock");
    }

    /** The default directory for unpacked programs: it may be deleted at any time and is then recreated. */
    static Path defaultCache(Map<String, String> environment) {
        return ROOT
                ? Path.of("/var/cache/penstock")
                : userFolder(environment, "XDG_CACHE_HOME", ".cache").resolve("penstock");
    }

    private static Path userFolder(Map<String, String> environment, String variable, String below) {
        String folder = environment.get(variable);
        // The XDG specification says to ignore relative paths: they would depend on the server's working directory.
        return folder == null || !folder.startsWith("/")
                ? Path.of(System.getProperty("user.home"), below)
                : Path.of(folder);
    }

    static DataDirectory open(Path given) throws StartFailure {
        Path path = given.toAbsolutePath().normalize();
        try {
            // Root's Postgres runs under another account, which must be able to reach its own folder.
            Files.createDirectories(path, only(ROOT ? "rwx--x--x" : "rwx------"));
            for (String own : List.of("journal", "live", "live-spare", "queue", "artifacts")) {
                close(Files.createDirectories(path.resolve(own), only("rwx------")), "rwx------");
            }
            FileChannel channel = locked(path);
            return new DataDirectory(path, channel);
        } catch (AccessDeniedException e) {
            throw new StartFailure(
                    "The data directory " + path
                            + " cannot be written by this user: choose another with --data, or make " + e.getFile()
                            + " writable.",
                    e);
        } catch (FileAlreadyExistsException e) {
            throw new StartFailure(
                    "The data directory " + path + " cannot be created, since " + e.getFile()
                            + " is a file: choose another with --data.",
                    e);
        } catch (IOException e) {
            throw new StartFailure(
                    "The data directory " + path + " cannot be used (" + e.getMessage()
                            + "): choose another with --data.",
                    e);
        }
    }

    /** Folders and files of older versions, or after a manual chmod, may be open to others. */
    private static void close(Path own, String permissions) throws IOException {
        Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
        if (!wanted.containsAll(Files.getPosixFilePermissions(own))) {
            Files.setPosixFilePermissions(own, wanted);
        }
    }

    private static FileChannel locked(Path path) throws IOException, StartFailure {
        Path file = path.resolve("lock");
        boolean wasOpen = Files.exists(file)
                && !PosixFilePermissions.fromString(LOCK_MODE).containsAll(Files.getPosixFilePermissions(file));
        FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), only(LOCK_MODE));
        close(file, LOCK_MODE);
        if (lock(channel) == null) {
            channel.close();
            throw new StartFailure("The data directory " + path
                    + " is used by another Penstock: stop that one, or choose another directory with --data."
                    + (wasOpen
                            ? " If none runs, another account holds " + file
                                    + ", which it was able to open: delete that file."
                            : ""));
        }
        return channel;
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
