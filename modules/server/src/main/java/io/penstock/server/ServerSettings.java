package io.penstock.server;

import io.penstock.engine.SpawnerChoice;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.postgres.DatabaseAddress;
import io.penstock.engine.policy.PolicySource;
import io.penstock.engine.policy.Profile;
import io.penstock.engine.retention.RetentionSettings;
import io.penstock.engine.session.Quotas;
import io.penstock.server.config.Configuration;
import io.penstock.server.guard.Guard;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a server.
 *
 * @param port 0 for any free port
 * @param workspace the folder in or below which tasks work
 * @param auth whether the access token is required
 * @param database null for the embedded Postgres
 * @param quotas how many tasks run and wait, and how fast they may write
 * @param retention how long and how much is kept
 * @param diskReserveBytes disk space that outputs leave free
 * @param taskUsage whether the CPU time and memory of tasks is recorded
 * @param configuration agent programs, and the limits of agent tasks
 * @param rpcPort of hosts of agent tasks, 0 for any free port; null for none
 */
record ServerSettings(
        String host,
        int port,
        Path data,
        Path cache,
        Path workspace,
        boolean auth,
        @Nullable DatabaseAddress database,
        Fsync fsync,
        SpawnerChoice spawner,
        PolicySource policy,
        Quotas quotas,
        RetentionSettings retention,
        long diskReserveBytes,
        boolean taskUsage,
        Configuration configuration,
        @Nullable Integer rpcPort) {

    private static final Duration FORCE_EVERY = Duration.ofMillis(100);

    /** A PiB: more is a mistake. */
    private static final int MOST_GIB = 1 << 20;

    ServerSettings {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("--port is 0 to 65535, not " + port);
        }
        if (rpcPort != null && (rpcPort < 0 || rpcPort > 65_535)) {
            throw new IllegalArgumentException("--rpc-port is 0 to 65535, not " + rpcPort);
        }
        if (host.isBlank()) {
            throw new IllegalArgumentException("--host is empty; 127.0.0.1 is this machine only, 0.0.0.0 is everyone");
        }
        if (diskReserveBytes < 0) {
            throw new IllegalArgumentException("--disk-reserve is 0 or more MiB, not " + (diskReserveBytes >> 20));
        }
    }

    /** The file of the access token. */
    Path tokenFile() {
        return data.toAbsolutePath().normalize().resolve("token");
    }

    static boolean auth(String word) {
        return switch (word) {
            case "token" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException("--auth is token or off, not \"" + word + "\"");
        };
    }

    static boolean taskUsage(String word) {
        return switch (word) {
            case "on" -> true;
            case "off" -> false;
            default -> throw new IllegalArgumentException("--task-usage is on or off, not \"" + word + "\"");
        };
    }

    /** A server that only this machine can reach permits everything by default; elsewhere the safe profile applies. */
    static PolicySource policy(@Nullable String profile, @Nullable Path file, String host) {
        Profile usual = Guard.isLoopback(host) ? Profile.LOCAL : Profile.SAFE;
        return new PolicySource(profile == null ? usual : Profile.parse(profile), file);
    }

    static Quotas quotas(int running, int runningPerSession, int queued, long outputRate) {
        atLeast(1, running, "--max-running");
        atLeast(1, runningPerSession, "--max-running-per-session");
        atLeast(0, queued, "--max-queued");
        if (outputRate < 0) {
            throw new IllegalArgumentException(
                    "--output-rate is 1 or more bytes in a second, or 0 for no limit, not " + outputRate);
        }
        return new Quotas(running, runningPerSession, queued, outputRate);
    }

    /** @param ledgerGib null for the usual size */
    static RetentionSettings retention(int outputDays, int taskDays, @Nullable Double ledgerGib) {
        atLeast(0, outputDays, "--keep-days");
        atLeast(0, taskDays, "--keep-tasks-days");
        if (ledgerGib != null && !(ledgerGib > 0 && ledgerGib <= MOST_GIB)) {
            throw new IllegalArgumentException(
                    "--keep-ledger-gib is more than 0 and at most " + MOST_GIB + ", not " + ledgerGib);
        }
        return new RetentionSettings(
                Duration.ofDays(outputDays),
                Duration.ofDays(taskDays),
                ledgerGib == null ? null : (long) (ledgerGib * (1 << 30)));
    }

    private static void atLeast(int least, int number, String option) {
        if (number < least) {
            throw new IllegalArgumentException(option + " is " + least + " or more, not " + number);
        }
    }

    static SpawnerChoice spawner(@Nullable String word) {
        return switch (word) {
            case null -> SpawnerChoice.AUTOMATIC;
            case "native" -> SpawnerChoice.NATIVE;
            case "pty4j" -> SpawnerChoice.PTY4J;
            default -> throw new IllegalArgumentException("--spawner is native or pty4j, not \"" + word + "\"");
        };
    }

    static Fsync fsync(String word) {
        return switch (word) {
            case "never" -> new Fsync.Never();
            case "interval" -> new Fsync.Interval(FORCE_EVERY);
            case "always" -> new Fsync.Always();
            default ->
                throw new IllegalArgumentException(
                        "--journal-fsync is never, interval or always, not \"" + word + "\"");
        };
    }
}
