package io.penstock.engine.log.postgres;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The files of one database cluster: created completely or not at all, and of the bundled major version. */
final class ClusterDirectory {

    private static final String PARTIAL = "initdb-";

    private ClusterDirectory() {}

    static Path in(Path directory, PostgresInstall install, Account account) throws IOException, PostgresUnavailable {
        Path data = directory.resolve("data");
        try (var abandoned = Files.newDirectoryStream(directory, PARTIAL + "*")) {
            for (Path partial : abandoned) {
                Directories.delete(partial);
            }
        }
        if (!Files.exists(data)) {
            initialize(directory, data, install, account);
        }
        if (!Files.isExecutable(data)) {
            throw wrongOwner(data, account);
        }
        Path version = data.resolve("PG_VERSION");
        if (!Files.isRegularFile(version)) {
            throw new PostgresUnavailable(data + " is not a Postgres data directory (it has no PG_VERSION): move it"
                    + " away, or choose another data directory.");
        }
        String major = Files.readString(version).strip();
        if (!major.equals(Integer.toString(PostgresInstall.MAJOR))) {
            throw new PostgresUnavailable(data + " was made by Postgres " + major
                    + " and this Penstock brings Postgres "
                    + PostgresInstall.MAJOR + ": run the Penstock that made it, or move its data over with pg_dump of"
                    + " version " + major + ".");
        }
        if (!account.owns(data)) {
            throw wrongOwner(data, account);
        }
        return data;
    }

    /** The directory was created when Penstock ran as another user: Postgres insists on owning its files. */
    private static PostgresUnavailable wrongOwner(Path data, Account account) throws IOException {
        return new PostgresUnavailable(data + " belongs to the account of number "
                + Files.getAttribute(data, "unix:uid") + " and Postgres would run as " + account.uid()
                + ": run Penstock as the user who made it, or give it over with chown -R " + account.uid() + ":"
                + account.gid() + " " + data + ".");
    }

    /** Initializes a directory of another name and renames it at the end: a killed initdb leaves no partial cluster. */
    private static void initialize(Path directory, Path data, PostgresInstall install, Account account)
            throws IOException, PostgresUnavailable {
        Path partial = Files.createTempDirectory(directory, PARTIAL);
        account.giveOwnership(partial);
        try {
            requireSuccess(
                    directory,
                    Programs.run(account.command(
                            install.program("initdb"),
                            "-D",
                            partial.toString(),
                            "-U",
                            EmbeddedPostgres.NAME,
                            "--auth-local=reject",
                            "--auth-host=reject",
                            "-E",
                            "UTF8",
                            "--locale-provider=builtin",
                            "--builtin-locale=C.UTF-8",
                            "--no-instructions")));
            // initdb does not create our database; without a running server, this is how to do it.
            requireSuccess(
                    directory,
                    Programs.run(
                            account.command(
                                    install.program("postgres"),
                                    "--single",
                                    "-D",
                                    partial.toString(),
                                    "-c",
                                    "exit_on_error=on",
                                    "postgres"),
                            "CREATE DATABASE " + EmbeddedPostgres.NAME + "\n"));
            Files.move(partial, data, StandardCopyOption.ATOMIC_MOVE);
            try (var parent = FileChannel.open(directory, StandardOpenOption.READ)) {
                parent.force(true);
            }
        } finally {
            Directories.delete(partial);
        }
    }

    private static void requireSuccess(Path directory, Programs.Finished finished) throws PostgresUnavailable {
        if (finished.exit() == 0) {
            return;
        }
        if (finished.output().contains("No space left on device")) {
            throw new PostgresUnavailable("The disk of " + directory + " is full, so that no database could be made"
                    + " there: free some space (about 100 MB for an empty one) or choose another data directory.");
        }
        throw new PostgresUnavailable("No database could be made in " + directory + ": " + finished.complaint() + ".");
    }
}
