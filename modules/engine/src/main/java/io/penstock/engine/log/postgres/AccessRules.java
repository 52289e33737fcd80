package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/** Access to the embedded Postgres: only with the password that this Penstock gave it; no local user is trusted without it. */
final class AccessRules {

    private static final String RULES = """
            # Written by Penstock at each start. The password is new at each start, and in no file.
            local all all scram-sha-256
            """;

    private AccessRules() {}

    /** Next to the data directory, not in it: that directory belongs to Postgres' account, this file to Penstock's. */
    static Path file(Path directory) {
        return directory.resolve("pg_hba.conf");
    }

    /** Writes the rules, and removes the cluster's own, which in clusters of older versions trust every local user. */
    static void write(Path directory, Path data, Account account) throws IOException {
        Path unfinished = directory.resolve("pg_hba.conf.new");
        Files.deleteIfExists(unfinished);
        // It contains no secret, and another account may have to read it.
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString(account.reduced() ? "rw-r--r--" : "rw-------");
        Files.write(
                unfinished,
                RULES.getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE);
        Files.setPosixFilePermissions(unfinished, mode);
        Files.move(unfinished, file(directory), StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(data.resolve("pg_hba.conf"));
    }

    /**
     * Sets the cluster's password while no server runs on it. After a crash this recovers the cluster, as a start
     * would.
     */
    static void set(
            PostgresPassword password, EmbeddedPostgres.Settings settings, Path data, Account account, Path postgres)
            throws PostgresUnavailable {
        List<String> command = account.command(
                postgres, Configuration.singleUser(settings.directory(), data, settings.sharedBuffersMb()));
        Programs.Finished finished = Programs.run(
                command,
                "ALTER ROLE " + EmbeddedPostgres.NAME + " PASSWORD '" + password.verifier() + "'\n",
                settings.hungAfter());
        if (finished.exit() != 0) {
            throw new PostgresUnavailable(
                    "The password of the Postgres on " + data + " could not be set: " + finished.complaint() + ".");
        }
    }
}
