package io.penstock.engine.log.postgres;

import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded Postgres on a data directory, which ends when this process ends, however that happens.
 * <p>Its calls block: make them before the event loops run, or in {@code executeBlocking}. If it has ended, {@link
 * #startAgain} starts another; whatever state it was killed in, the next start recovers.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    /** The name of the database and of its only user. */
    static final String NAME = "penstock";

    private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);

    private final Settings settings;
    private final PostgresPassword password;
    private final Process process;
    private final Path socketDirectory;
    private final FileChannel lock;

    /**
     * @param directory for the data, the log and the socket; used by one process at a time
     * @param installDirectory where the programs are unpacked to; may be shared by many
     * @param sharedBuffersMb memory for its page cache
     * @param hungAfter how long a starting Postgres may do nothing at all before the start fails
     * @param stopWithin timeout of an orderly stop before it is forced
     */
    public record Settings(
            Path directory, Path installDirectory, int sharedBuffersMb, Duration hungAfter, Duration stopWithin) {
        public Settings {
            if (sharedBuffersMb < 1) {
                throw new IllegalArgumentException("sharedBuffersMb is " + sharedBuffersMb + " and must be 1 or more");
            }
            directory = directory.toAbsolutePath().normalize();
            installDirectory = installDirectory.toAbsolutePath().normalize();
        }

        /** For a machine of a few GiB: the ledger reads mostly what it has just written. */
        public static Settings of(Path directory, Path installDirectory) {
            return new Settings(directory, installDirectory, 128, Duration.ofMinutes(5), Duration.ofSeconds(20));
        }
    }

    private EmbeddedPostgres(
            Settings settings, PostgresPassword password, Process process, Path socketDirectory, FileChannel lock) {
        this.settings = settings;
        this.password = password;
        this.process = process;
        this.socketDirectory = socketDirectory;
        this.lock = lock;
    }

    public static EmbeddedPostgres start(Settings settings) throws PostgresUnavailable {
        return start(settings, null);
    }

    /** @param known the cluster's password; null to give it a new one */
    private static EmbeddedPostgres start(Settings settings, @Nullable PostgresPassword known)
            throws PostgresUnavailable {
        Path directory = settings.directory();
        Account account = Account.forPostgres();
        PostgresInstall install = PostgresInstall.in(settings.installDirectory());
        account.requireAccess(install.program("postgres"));
        FileChannel lock = null;
        EmbeddedPostgres started = null;
        try {
            Directories.create(directory);
            Directories.close(directory, account);
            account.requireAccess(directory);
            lock = lock(directory);
            started = start(settings, known, install, account, lock);
            return started;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PostgresUnavailable("Starting Postgres was interrupted.", e);
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "Postgres could not be started in " + directory + ": " + Directories.reason(e) + ".", e);
        } finally {
            if (started == null) {
                release(lock);
            }
        }
    }

    private static EmbeddedPostgres start(
            Settings settings,
            @Nullable PostgresPassword known,
            PostgresInstall install,
            Account account,
            FileChannel lock)
            throws IOException, InterruptedException, PostgresUnavailable {
        Path directory = settings.directory();
        Path data = ClusterDirectory.in(directory, install, account);
        StaleServer.settle(data, settings.stopWithin());
        Path socket = SocketDirectory.near(directory, account, System.getenv("XDG_RUNTIME_DIR"));
        Path program = install.program("postgres");
        AccessRules.write(directory, data, account);
        PostgresPassword password = known;
        if (password == null) {
            password = PostgresPassword.random();
            AccessRules.set(password, settings, data, account, program);
        }
        var output = new ServerLog(directory.resolve("postgres.log"), ServerLog.BYTES);
        Process process = Postmaster.start(
                account.command(program, Configuration.arguments(directory, data, socket, settings.sharedBuffersMb())),
                output);
        boolean ready = false;
        try {
            Readiness.await(process, data, output, settings.hungAfter());
            ready = true;
            return new EmbeddedPostgres(settings, password, process, socket, lock);
        } finally {
            if (!ready) {
                end(process, settings.stopWithin());
            }
        }
    }

    /** The options to connect by the Unix socket, where the port is only a part of its name. */
    public PgConnectOptions connectOptions() {
        return new PgConnectOptions()
                .setHost(socketDirectory.toString())
                .setPort(5432)
                .setUser(NAME)
                .setPassword(password.text())
                .setDatabase(NAME);
    }

    public long pid() {
        return process.pid();
    }

    /** Completes with the exit code when Postgres has ended, requested or not. */
    public CompletionStage<Integer> exited() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Stops it in order, or by force if that takes too long; neither loses a committed transaction. */
    public void stop() throws PostgresUnavailable {
        try {
            end(process, settings.stopWithin());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            release(lock);
        }
    }

    @Override
    public void close() throws PostgresUnavailable {
        stop();
    }

    /** Starts another Postgres on the same directory after this one died. */
    public EmbeddedPostgres startAgain() throws PostgresUnavailable {
        stop();
        return start(settings, password);
    }

    private static void end(Process process, Duration deadline) throws PostgresUnavailable, InterruptedException {
        for (String signal : List.of("INT", "QUIT")) {
            if (process.isAlive()) {
                Programs.signal(process.pid(), signal);
                // The second signal, "immediate", only has to end processes, which takes a moment.
                Duration limit = signal.equals("INT") ? deadline : Duration.ofSeconds(6);
                if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                log.warn("Postgres did not end within {} s of SIG{}", limit.toSeconds(), signal);
            }
        }
        process.destroyForcibly().waitFor();
    }

    private static FileChannel lock(Path directory) throws IOException, PostgresUnavailable {
        // Closed to others: a process that can open it could lock it and keep Penstock from starting.
        Path file = directory.resolve("lock");
        FileChannel channel = FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), Directories.OWNER_FILE);
        Directories.close(file);
        FileLock taken = null;
        try {
            taken = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // This very process holds it, which makes no difference to the caller.
        } finally {
            if (taken == null) {
                channel.close();
            }
        }
        if (taken == null) {
            throw new PostgresUnavailable("The Postgres in " + directory
                    + " is in use by another Penstock: stop that one, or choose another data directory.");
        }
        return channel;
    }

    private static void release(@Nullable FileChannel lock) {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException e) {
                log.warn("the lock of Postgres' directory could not be released: {}", e.toString());
            }
        }
    }
}
