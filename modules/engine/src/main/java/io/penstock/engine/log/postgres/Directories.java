package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates and removes the directories of Postgres, and describes failures to do so. */
final class Directories {

    static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private Directories() {}

    /** Restricts a file to its owner, if the owner is this process. */
    static void close(Path file) throws IOException {
        close(file, "rw-------");
    }

    /** Restricts a directory likewise, but lets the account of Postgres pass through. */
    static void close(Path directory, Account account) throws IOException {
        close(directory, account.reduced() ? "rwx--x--x" : "rwx------");
    }

    private static void close(Path path, String permissions) throws IOException {
        Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permissions);
        Set<PosixFilePermission> present = Files.getPosixFilePermissions(path);
        if (!wanted.containsAll(present) && Files.isWritable(path)) {
            Files.setPosixFilePermissions(path, wanted);
        }
    }

    static void create(Path directory) throws IOException {
        Files.createDirectories(directory);
        if (!Files.isWritable(directory)) {
            throw new AccessDeniedException(directory.toString());
        }
    }

    static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> denied.getFile() + " is not writable for this user";
            case FileAlreadyExistsException exists -> exists.getFile() + " exists and is not a directory";
            case FileSystemException other when other.getReason() != null -> other.getFile() + ": " + other.getReason();
            case IOException other -> String.valueOf(other.getMessage());
        };
    }
}
