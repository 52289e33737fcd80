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
 * The directory of Postgres' Unix socket. It is closed to all accounts except the one that Postgres runs under; a
 * client that reaches the socket also needs the password.
 */
final class SocketDirectory {

    /** The kernel limits a socket's path to 108 bytes, including the zero at its end. */
    static final int SOCKET_PATH_BYTES = 107;

    private static final String SOCKET = ".s.PGSQL.5432";

    private SocketDirectory() {}

    /**
     * Next to the data if that path is short enough. Otherwise a short directory named after the data directory, so
     * that the next start finds it again: in the user's runtime directory, or in /tmp (Postgres touches its socket
     * regularly, so cleaners of /tmp keep it).
     */
    static Path near(Path directory, Account account, @Nullable String runtimeDirectory)
            throws IOException, PostgresUnavailable {
        Path near = directory.resolve("socket");
        Path chosen = fits(near) ? near : elsewhere(directory, account, runtimeDirectory);
        var mode = PosixFilePermissions.fromString("rwx------");
        try {
            Files.createDirectory(chosen, PosixFilePermissions.asFileAttribute(mode));
            account.giveOwnership(chosen);
        } catch (FileAlreadyExistsException e) {
            // /tmp is writable for all: another account could have created a directory or a link of this name there.
            if (!Files.isDirectory(chosen, LinkOption.NOFOLLOW_LINKS) || !account.isOwner(chosen)) {
                throw new PostgresUnavailable(
                        "The socket of Postgres belongs in " + chosen
                                + ", which belongs to another account: remove it, or choose a data directory with a shorter path.");
            }
            account.giveOwnership(chosen);
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
