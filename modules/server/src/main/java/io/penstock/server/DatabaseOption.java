package io.penstock.server;

import io.penstock.engine.log.postgres.DatabaseAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options for an external Postgres and its password. */
final class DatabaseOption {

    private static final String PASSWORD = "PGPASSWORD";

    private DatabaseOption() {}

    /** Null without a URL. Fails with {@link IllegalArgumentException} and one sentence. */
    static @Nullable DatabaseAddress address(
            @Nullable String url, @Nullable Path passwordFile, Map<String, String> environment) {
        if (url == null) {
            if (passwordFile != null) {
                throw new IllegalArgumentException("--database-password-file is for an external Postgres: name it with"
                        + " --database, or leave the file out");
            }
            return null;
        }
        if (passwordFile == null) {
            return DatabaseAddress.parse(url, environment);
        }
        var filed = new HashMap<>(environment);
        filed.put(PASSWORD, firstLine(passwordFile));
        DatabaseAddress address = DatabaseAddress.parse(url, filed);
        if (hasPassword(url)) {
            throw new IllegalArgumentException(
                    "Both --database and --database-password-file give a password: remove it from the URL");
        }
        return address;
    }

    /** Whether the URL contains a password, which every process list shows. */
    static boolean hasPassword(@Nullable String url) {
        return url != null
                && DatabaseAddress.parse(url, Map.of("PGUSER", "anybody")).password() != null;
    }

    private static String firstLine(Path file) {
        try {
            String line = Files.readString(file).lines().findFirst().orElse("");
            if (line.isEmpty()) {
                throw new IllegalArgumentException(
                        "The first line of " + file + " is empty; it must be the password for --database");
            }
            return line;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "The file " + file + " of --database-password-file cannot be read: " + e, e);
        }
    }
}
