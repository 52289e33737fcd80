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
import org.jspecify.annotations.Nullable;

/** Making and removing the directories of Postgres, and saying in words why that failed. */
final class Directories {

    private Directories() {}

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
