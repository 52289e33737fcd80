package io.penstock.engine.task.agent;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and writes files of the workspace for an agent: regular files below it, also after links are followed. All of it blocks. */
public final class WorkspaceFiles {

    private final Path workspace;

    public WorkspaceFiles(Path workspace) {
        this.workspace = workspace;
    }

    /**
     * Reads a text file.
     *
     * @param line the first line to read, from 1; null for the first of the file
     * @param limit the number of lines; null for all
     */
    String read(String path, @Nullable Integer line, @Nullable Integer limit) throws IOException {
        Path file = inside(path).toRealPath();
        require(file.startsWith(workspace.toRealPath()), path, "leads out of the workspace by a link");
        require(Files.isRegularFile(file), path, "is not a regular file");
        require(Files.size(file) <= AgentLimits.FILE_BYTES, path, "has more than " + AgentLimits.FILE_BYTES + " bytes");
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        if (line == null && limit == null) {
            return text;
        }
        return text.lines()
                .skip(line == null ? 0 : Math.max(0, line - 1))
                .limit(limit == null ? Long.MAX_VALUE : Math.max(0, limit))
                .map(each -> each + "\n")
                .collect(Collectors.joining());
    }

    /** Writes a text file, and the folders to it; returns its path relative to the workspace. */
    String write(String path, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        require(
                bytes.length <= AgentLimits.FILE_BYTES,
                path,
                "would have more than " + AgentLimits.FILE_BYTES + " bytes");
        Path file = inside(path);
        Path root = workspace.toRealPath();
        Path target = created(path, Objects.requireNonNull(file.getParent(), "below the workspace"))
                .resolve(file.getFileName());
        if (Files.isSymbolicLink(target)) {
            target = target.toRealPath();
            require(target.startsWith(root), path, "leads out of the workspace by a link");
        }
        require(!Files.exists(target) || Files.isRegularFile(target), path, "is not a regular file");
        Files.write(
                target,
                bytes,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        return root.relativize(target).toString();
    }

    /**
     * Creates a folder, and those to it; returns its path relative to the workspace.
     *
     * @param path may begin with a slash, as if the workspace were the whole file system
     */
    public String createFolder(String path) throws IOException {
        Path root = workspace.toRealPath();
        boolean known = path.startsWith(root.toString())
                || path.startsWith(workspace.toAbsolutePath().toString());
        Path folder = inside(known ? path : path.replaceFirst("^/+", ""));
        require(!Files.exists(folder) || Files.isDirectory(folder), path, "is not a folder");
        return root.relativize(created(path, folder)).toString();
    }

    /** Replaces a text file, whatever it was, in one step. */
    public void replace(String path, String content) throws IOException {
        Path file = inside(path);
        Path folder = created(path, Objects.requireNonNull(file.getParent(), "below the workspace"));
        Path whole = folder.resolve(file.getFileName() + ".tmp");
        Files.deleteIfExists(whole);
        Files.writeString(whole, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Files.move(whole, folder.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The folder, with its links followed, and created if it was missing. */
    private Path created(String path, Path folder) throws IOException {
        Path existing = folder;
        while (!Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = Objects.requireNonNull(existing.getParent(), "the root exists");
        }
        require(existing.toRealPath().startsWith(workspace.toRealPath()), path, "leads out of the workspace by a link");
        return Files.createDirectories(folder).toRealPath();
    }

    private Path inside(String path) throws IOException {
        Path given;
        try {
            given = Path.of(path);
        } catch (InvalidPathException e) {
            throw bad(path, "is not a path");
        }
        Path root = workspace.toRealPath();
        Path wanted = root.resolve(given).normalize();
        Path alias = workspace.toAbsolutePath().normalize();
        if (!wanted.startsWith(root) && wanted.startsWith(alias)) {
            wanted = root.resolve(alias.relativize(wanted));
        }
        require(wanted.startsWith(root) && !wanted.equals(root), path, "is not in the workspace");
        return wanted;
    }

    private static void require(boolean holds, String path, String why) {
        if (!holds) {
            throw bad(path, why);
        }
    }

    private static Failure bad(String path, String why) {
        return new Failure(FailureCode.INVALID_REQUEST, "the path \"" + path + "\" " + why);
    }
}
