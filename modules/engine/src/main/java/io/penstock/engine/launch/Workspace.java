package io.penstock.engine.launch;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The folder that tasks work in. A requested working directory must be below it, also after links are followed. */
final class Workspace {

    private Workspace() {}

    static Path resolve(Path root, @Nullable String cwd) throws IOException {
        Path real = root.toRealPath();
        if (cwd == null || cwd.isEmpty()) {
            return real;
        }
        Path wanted;
        try {
            wanted = real.resolve(cwd).normalize();
        } catch (InvalidPathException e) {
            throw bad(cwd, "is not a path");
        }
        if (!wanted.startsWith(real)) {
            throw bad(cwd, "leads out of the workspace");
        }
        if (!Files.isDirectory(wanted)) {
            throw bad(cwd, "is not a directory in the workspace");
        }
        Path followed = wanted.toRealPath();
        if (!followed.startsWith(real)) {
            throw bad(cwd, "leads out of the workspace by a link");
        }
        return followed;
    }

    private static Failure bad(String cwd, String why) {
        return new Failure(
                FailureCode.INVALID_REQUEST,
                "cwd \"" + cwd + "\" " + why + "; give a path relative to the workspace, such as \"src\"");
    }
}
