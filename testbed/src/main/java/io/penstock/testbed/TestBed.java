package io.penstock.testbed;

import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder for a test, and the engines, edges and servers that the test opens, which are closed after it. {@link VertxExtension} passes
 * it to every method of a test that has it as a parameter; all tests of a class share one if a method for {@code @BeforeAll} has it.
 */
public final class TestBed implements AutoCloseable {

    private final Path folder = newFolder();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** A new folder that the account 'nobody' can reach, under which Postgres runs if the tests run as root. */
    public static Path newFolder() {
        try {
            Path folder = Files.createTempDirectory("penstock-test-");
            return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder with all that is in it. */
    public static void delete(Path folder) {
        try (Stream<Path> walked = Files.walk(folder)) {
            List<Path> files = walked.sorted(Comparator.reverseOrder()).toList();
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // The test has deleted it.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Is deleted after the test. */
    public Path folder() {
        return folder;
    }

    /** Closes this part after the test, before those that were added earlier. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        try {
            closeNewest();
        } finally {
            delete(folder);
        }
    }

    /** Closes all, even if one of them fails. */
    private void closeNewest() {
        if (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                closeNewest();
            }
        }
    }
}
