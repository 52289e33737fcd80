package io.penstock.engine.log.postgres;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The settings of the embedded Postgres, passed as arguments so that a change reaches existing data directories. */
final class Configuration {

    private static final List<String> SETTINGS = List.of(
            // No network, and a directory closed to others; a client that reaches the socket needs the password.
            "listen_addresses=",
            "unix_socket_permissions=0700",
            // Confirmed transactions survive a power cut.
            "fsync=on",
            "full_page_writes=on",
            "synchronous_commit=on",
            // After a crash, one call instead of one for each of the thousand files of even an empty cluster.
            "recovery_init_sync_method=syncfs",
            // Nothing replicates from it, and this makes the log smaller.
            "wal_level=minimal",
            "max_wal_senders=0",
            // Appends at full speed fill 1 GB in seconds; more frequent checkpoints write pages twice.
            "max_wal_size=2GB",
            "checkpoint_timeout=15min",
            // A drain or two, a few readers, and a person with psql.
            "max_connections=40",
            // Reads go by key and are short; parallel workers would also need /dev/shm, which is small in containers.
            "max_parallel_workers_per_gather=0",
            "jit=off",
            "timezone=UTC",
            "log_timezone=UTC",
            // Penstock bounds the log itself.
            "logging_collector=off",
            "log_checkpoints=off");

    private Configuration() {}

    static String[] arguments(Path directory, Path data, Path socketDirectory, int sharedBuffersMb) {
        var arguments = new ArrayList<>(List.of("-D", data.toString(), "-k", socketDirectory.toString()));
        arguments.addAll(settings(directory, sharedBuffersMb));
        return arguments.toArray(String[]::new);
    }

    /** For a single-user server that reads statements from its standard input. */
    static String[] singleUser(Path directory, Path data, int sharedBuffersMb) {
        var arguments = new ArrayList<>(List.of("--single", "-D", data.toString(), "-c", "exit_on_error=on"));
        arguments.addAll(settings(directory, sharedBuffersMb));
        arguments.add("postgres");
        return arguments.toArray(String[]::new);
    }

    private static List<String> settings(Path directory, int sharedBuffersMb) {
        var arguments = new ArrayList<String>();
        for (String setting : SETTINGS) {
            arguments.addAll(List.of("-c", setting));
        }
        arguments.addAll(List.of("-c", "hba_file=" + AccessRules.file(directory)));
        arguments.addAll(List.of("-c", "shared_buffers=" + sharedBuffersMb + "MB"));
        return arguments;
    }
}
