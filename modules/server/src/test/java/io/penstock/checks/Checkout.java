package io.penstock.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The folder that holds everything, found from wherever a build runs its tests. */
public final class Checkout {
    /** Generated files: .gitignore keeps them out of the repository. */
    private static final Set<String> MADE = Set.of(
            ".git",
            "target",
            "build",
            ".gradle",
            ".kotlin",
            "node_modules",
            "dist",
            ".idea",
            ".vscode",
            ".penstock-build");

    public static final Path ROOT = find();

    private Checkout() {}

    private static Path find() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("settings.gradle.kts"))) {
                return folder;
            }
        }
        throw new IllegalStateException("No folder above " + start + " has a settings.gradle.kts.");
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Every file written by a person, in any folder. */
    static List<Path> writtenFiles() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean made = !folder.equals(ROOT)
                            && MADE.contains(folder.getFileName().toString());
                    return made ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /** Where a module's main classes are, in the layout of whichever build runs this test. */
    static Path classesOf(Path module) {
        Path maven = module.resolve("target/classes");
        return testedByMaven() ? maven : module.resolve("build/classes/java/main");
    }

    private static boolean testedByMaven() {
        return Checkout.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath()
                .contains("/target/");
    }

    static List<Path> filesBelow(Path folder, String suffix) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(suffix)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
