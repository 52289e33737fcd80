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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The one folder of a server, held by one process at a time. */
final class DataDirectory implements AutoCloseable {

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    private static final String UNPACKED = "unpacked";

    private final Path path;
    private final FileChannel lock;

    private DataDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    Path path() {
        return path;
    }

    /** For the page's files, which Vert.x serves from the disk; emptied at each start, since who is killed does not clear away. */
    Path unpacked() {
        return path.resolve(UNPACKED);
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> below = Files.walk(folder)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                if (!each.equals(folder)) {
                    Files.delete(each);
                }
            }
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> only(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    /** Where the data goes unless told otherwise. */
    static Path usual(Map<String, String> environment) {
        return ROOT
                ? Path.of("/var/lib/penstock")
                : userFolder(environment, "XDG_DATA_HOME", ".local/share").resolve("penstock");
    }

    /** Where programs are unpacked to: it may be deleted at any time, and is then made again. */
    static Path usualCache(Map<String, String> environment) {
        return ROOT
                ? Path.of("/var/cache/penstock")
                : userFolder(environment, "XDG_CACHE_HOME", ".cache").resolve("penstock");
    }

    private static Path userFolder(Map<String, String> environment, String variable, String below) {
        String folder = environment.get(variable);
        return folder == null || folder.isBlank() ? Path.of(System.getProperty("user.home"), below) : Path.of(folder);
    }

    static DataDirectory open(Path given) throws StartFailure {
        Path path = given.toAbsolutePath().normalize();
        try {
            // Root's Postgres runs under another account, which must get through to its own folder.
            Files.createDirectories(path, only(ROOT ? "rwx--x--x" : "rwx------"));
            for (String own : List.of("journal", "live", "queue", "artifacts", UNPACKED)) {
                Files.createDirectories(path.resolve(own), only("rwx------"));
            }
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new StartFailure("The data directory " + path
                        + " is used by another Penstock: stop that one, or choose another directory with --data.");
            }
            empty(path.resolve(UNPACKED));
            return new DataDirectory(path, channel);
        } catch (AccessDeniedException e) {
            throw new StartFailure(
                    "The data directory " + path
                            + " cannot be written by this user: choose another with --data, or make " + e.getFile()
                            + " writable.",
                    e);
        } catch (FileAlreadyExistsException e) {
            throw new StartFailure(
                    "The data directory " + path + " cannot be made, since " + e.getFile()
                            + " is a file: choose another with --data.",
                    e);
        } catch (IOException e) {
            throw new StartFailure(
                    "The data directory " + path + " cannot be used (" + e.getMessage()
                            + "): choose another with --data.",
                    e);
        }
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
