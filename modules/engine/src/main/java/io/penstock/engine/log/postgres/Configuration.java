package io.penstock.engine.log.postgres;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How our own Postgres is set; given as arguments, so that a change reaches data directories that exist already. */
final class Configuration {

    private static final List<String> SETTINGS = List.of(
            // Whoever reaches the socket is trusted: no network, and a directory closed to others.
            "listen_addresses=",
            "unix_socket_permissions=0700",
            // What it has confirmed survives a power cut.
            "fsync=on",
            "full_page_writes=on",
            "synchronous_commit=on",
            // After a crash one call instead of one for each of the thousand files of even an empty cluster.
            "recovery_init_sync_method=syncfs",
            // Nobody replicates from it, which makes the log smaller.
            "wal_level=minimal",
            "max_wal_senders=0",
            // Appends at full speed fill 1 GB in seconds; checkpoints more often than that write pages twice.
            "max_wal_size=2GB",
            "checkpoint_timeout=15min",
            // A drain or two, a few readers, and a person with psql.
            "max_connections=40",
            // Reads go by key and are short; parallel workers would also want /dev/shm, which is small in containers.
            "max_parallel_workers_per_gather=0",
            "jit=off",
            "timezone=UTC",
            "log_timezone=UTC",
            // The log is ours to keep bounded.
            "logging_collector=off",
            "log_checkpoints=off");

    private Configuration() {}

    static String[] arguments(Path data, Path socketDirectory, int sharedBuffersMb) {
        var arguments = new ArrayList<>(List.of("-D", data.toString(), "-k", socketDirectory.toString()));
        for (String setting : SETTINGS) {
            arguments.addAll(List.of("-c", setting));
        }
        arguments.addAll(List.of("-c", "shared_buffers=" + sharedBuffersMb + "MB"));
        return arguments.toArray(String[]::new);
    }
}
