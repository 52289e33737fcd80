package io.penstock.engine.artifact.file;

import io.penstock.frames.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The files of a store. An artifact has {@code ab/ID.bytes}, {@code ab/ID.seal} and {@code ab/ID.screens}; {@code ab/ID.kept} if it keeps its
 * tail; {@code ab/ID.gaps} if bytes inside of it are missing; after a deletion only {@code ab/ID.deleted}. {@code ab} spreads them over 256
 * directories. {@code digest/cd} maps digests to ids.
 */
public record ArtifactFiles(Path root) {

    public static final String BYTES = ".bytes";
    public static final String SEAL = ".seal";
    public static final String SIDECAR = ".screens";
    public static final String KEPT = ".kept";
    public static final String GAPS = ".gaps";
    public static final String DELETION = ".deleted";

    /** The files of an artifact that has bytes and is sealed. */
    public static final int PER_ARTIFACT = 2;

    private static final int PIECE_BYTES = 256 * 1024;

    // Without a separator or a leading dot, so that an id is always one name in its directory.
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@-]*");

    private static final Set<PosixFilePermission> OWNER_DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?> DIRECTORY_MODE = PosixFilePermissions.asFileAttribute(OWNER_DIRECTORY);
    private static final FileAttribute<?> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    static final Set<OpenOption> CREATE_NEW = Set.of(
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    static final Set<OpenOption> WRITE =
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> OPEN_OR_CREATE =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> OPEN_OR_CHANGE = Set.of(
            StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

    public static ArtifactFiles open(Path given) {
        Path root = given.toAbsolutePath().normalize();
        try {
            Files.createDirectories(root, DIRECTORY_MODE);
            Files.setPosixFilePermissions(root, OWNER_DIRECTORY);
            Path probe = Files.createTempFile(root, "probe", "", FILE_MODE);
            Files.delete(probe);
        } catch (AccessDeniedException e) {
            throw new ArtifactsUnavailable(
                    "The artifact directory " + root + " cannot be written by this user: make " + e.getFile()
                            + " writable, or choose another data directory.",
                    e);
        } catch (FileAlreadyExistsException e) {
            throw new ArtifactsUnavailable(
                    "The artifact directory " + root + " cannot be made, since " + e.getFile()
                            + " is a file: move it away, or choose another data directory.",
                    e);
        } catch (IOException e) {
            throw new ArtifactsUnavailable(
                    "The artifact directory " + root + " cannot be used (" + e.getMessage()
                            + "): choose another data directory.",
                    e);
        }
        return new ArtifactFiles(root);
    }

    public static boolean isId(String text) {
        return text.length() <= Limits.ARTIFACT_ID_CHARS && ID.matcher(text).matches();
    }

    public Path bytes(String id) {
        return inFanOut(id, BYTES);
    }

    public Path seal(String id) {
        return inFanOut(id, SEAL);
    }

    public Path sidecar(String id) {
        return inFanOut(id, SIDECAR);
    }

    public Path deletion(String id) {
        return inFanOut(id, DELETION);
    }

    public Path kept(String id) {
        return inFanOut(id, KEPT);
    }

    public Path gaps(String id) {
        return inFanOut(id, GAPS);
    }

    Path digests(String firstByte) {
        return root.resolve("digest").resolve(firstByte);
    }

    /** The path below the data directory, as in frames; the same on every machine. */
    public String relativePath(String id) {
        return root.getFileName() + "/" + directory(id) + "/" + id + BYTES;
    }

    private Path inFanOut(String id, String suffix) {
        if (!isId(id)) {
            throw new IllegalArgumentException("\"" + id + "\" is no artifact id");
        }
        return root.resolve(directory(id)).resolve(id + suffix);
    }

    private static String directory(String id) {
        int hash = id.hashCode();
        int spread = (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & 0xff;
        return Integer.toHexString(0x100 | spread).substring(1);
    }

    public static FileChannel openToRead(Path file) throws IOException {
        return FileChannel.open(file, READ);
    }

    public static FileChannel openToWrite(Path file) throws IOException {
        return FileChannel.open(file, WRITE);
    }

    public static FileChannel openToChange(Path file) throws IOException {
        return create(file, OPEN_OR_CHANGE);
    }

    static FileChannel create(Path file) throws IOException {
        return create(file, CREATE_NEW);
    }

    static FileChannel openOrCreate(Path file) throws IOException {
        return create(file, OPEN_OR_CREATE);
    }

    /** Writes a small file; an existing file is overwritten from its start. */
    public static void put(Path file, ByteBuffer content) throws IOException {
        try (FileChannel channel = openOrCreate(file)) {
            write(channel, 0, content);
        }
    }

    static void write(FileChannel channel, long offset, ByteBuffer content) throws IOException {
        for (long at = offset; content.hasRemaining(); ) {
            at += channel.write(content, at);
        }
    }

    private static FileChannel create(Path file, Set<OpenOption> options) throws IOException {
        try {
            return FileChannel.open(file, options, FILE_MODE);
        } catch (NoSuchFileException e) {
            // Directories are created with their first file.
            Files.createDirectories(file.resolveSibling(""), DIRECTORY_MODE);
            return FileChannel.open(file, options, FILE_MODE);
        }
    }

    /** Reads up to {@code length} bytes from an offset; returns how many there were. */
    public static int read(FileChannel channel, long offset, byte[] into, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into, 0, length);
        while (buffer.position() < length) {
            // In pieces, because the JDK keeps an off-heap buffer of the size of each thread's largest read.
            buffer.limit(Math.min(length, buffer.position() + PIECE_BYTES));
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                break;
            }
        }
        return buffer.position();
    }
}
