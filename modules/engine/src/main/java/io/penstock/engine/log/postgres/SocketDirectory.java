package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Where the Unix socket of a Postgres lies. Whoever reaches the socket is trusted, so the directory is closed to all
 * but the account that Postgres runs under.
 */
final class SocketDirectory {

    /** The kernel's 108 bytes for the path of a socket, with the zero at its end. */
    static final int SOCKET_PATH_BYTES = 107;

    private static final String SOCKET = ".s.PGSQL.5432";

    private SocketDirectory() {}

    /**
     * Beside the data where that path is short enough. Else a short directory that is named after the data directory,
     * so that the next start finds it again: in the user's runtime directory, or in /tmp (Postgres touches its socket
     * regularly, so that what cleans /tmp leaves it).
     */
    static Path near(Path directory, Account account, @Nullable String runtimeDirectory)
            throws IOException, PostgresUnavailable {
        Path near = directory.resolve("socket");
        Path chosen = fits(near) ? near : elsewhere(directory, account, runtimeDirectory);
        var mode = PosixFilePermissions.fromString("rwx------");
        try {
            Files.createDirectory(chosen, PosixFilePermissions.asFileAttribute(mode));
            account.give(chosen);
        } catch (FileAlreadyExistsException e) {
            // /tmp is everybody's: another account could have put a directory or a link of this name there.
            if (!Files.isDirectory(chosen, LinkOption.NOFOLLOW_LINKS) || !account.made(chosen)) {
                throw new PostgresUnavailable("The socket of Postgres belongs into " + chosen
                        + ", which another account has made: remove it, or choose a data directory of a shorter path.");
            }
            account.give(chosen);
            Files.setPosixFilePermissions(chosen, mode);
        }
        return chosen;
    }

    private static Path elsewhere(Path directory, Account account, @Nullable String runtimeDirectory)
            throws IOException {
        String name = "penstock-" + account.uid() + "-" + digest(directory.toRealPath());
        // The runtime directory of root is closed to the account that Postgres then runs under.
        if (runtimeDirectory != null && !account.reduced()) {
            Path candidate = Path.of(runtimeDirectory, name);
            if (candidate.isAbsolute() && fits(candidate) && Files.isWritable(Path.of(runtimeDirectory))) {
                return candidate;
            }
        }
        return Path.of("/tmp", name);
    }

    private static boolean fits(Path directory) {
        return directory.resolve(SOCKET).toString().getBytes(StandardCharsets.UTF_8).length <= SOCKET_PATH_BYTES;
    }

    private static String digest(Path path) {
        try {
            byte[] sum =
                    MessageDigest.getInstance("SHA-256").digest(path.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
