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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Postgres of our own on a directory of ours, which ends when this process ends, however that happens.
 *
 * <p>Its calls block: make them before the event loops run, or in {@code executeBlocking}. One that has ended is
 * started again by {@link #startAgain}; whatever state it was killed in, the next start recovers.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    /** Of the database and of its only user. */
    static final String NAME = "penstock";

    private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgres.class);
    private static final long POLL_MILLIS = 3;

    private final Settings settings;
    private final Process process;
    private final Path socketDirectory;
    private final FileChannel lock;

    /**
     * @param directory where the data, the log and the socket go; used by one process at a time
     * @param installDirectory where the programs are unpacked to; may be shared by many
     * @param sharedBuffersMb memory for its page cache
     * @param startWithin how long a start may take; replaying the log after a crash is a part of it
     * @param stopWithin how long an orderly end may take before it is forced
     */
    public record Settings(
            Path directory, Path installDirectory, int sharedBuffersMb, Duration startWithin, Duration stopWithin) {
        public Settings {
            if (sharedBuffersMb < 1) {
                throw new IllegalArgumentException("sharedBuffersMb is " + sharedBuffersMb + " and must be 1 or more");
            }
            directory = directory.toAbsolutePath().normalize();
            installDirectory = installDirectory.toAbsolutePath().normalize();
        }

        /** A machine of a few GiB: the ledger reads mostly what it has just written. */
        public static Settings of(Path directory, Path installDirectory) {
            return new Settings(directory, installDirectory, 128, Duration.ofMinutes(5), Duration.ofSeconds(20));
        }
    }

    private EmbeddedPostgres(Settings settings, Process process, Path socketDirectory, FileChannel lock) {
        this.settings = settings;
        this.process = process;
        this.socketDirectory = socketDirectory;
        this.lock = lock;
    }

    public static EmbeddedPostgres start(Settings settings) throws PostgresUnavailable {
        Path directory = settings.directory();
        Account account = Account.forPostgres();
        PostgresInstall install = PostgresInstall.in(settings.installDirectory());
        account.mustReach(install.program("postgres"));
        FileChannel lock = null;
        EmbeddedPostgres started = null;
        try {
            Directories.create(directory);
            account.mustReach(directory);
            lock = lock(directory);
            started = start(settings, install, account, lock);
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

    private static EmbeddedPostgres start(Settings settings, PostgresInstall install, Account account, FileChannel lock)
            throws IOException, InterruptedException, PostgresUnavailable {
        Path directory = settings.directory();
        Path data = DataDirectory.in(directory, install, account);
        Leftovers.settle(data, settings.stopWithin());
        Path socket = SocketDirectory.near(directory, account, System.getenv("XDG_RUNTIME_DIR"));
        var output = new ServerLog(directory.resolve("postgres.log"), ServerLog.BYTES);
        Process process = Postmaster.start(
                account.command(
                        install.program("postgres"), Configuration.arguments(data, socket, settings.sharedBuffersMb())),
                output);
        boolean ready = false;
        try {
            awaitReady(process, data, output, settings.startWithin());
            ready = true;
            return new EmbeddedPostgres(settings, process, socket, lock);
        } finally {
            if (!ready) {
                end(process, settings.stopWithin());
            }
        }
    }

    /** Postgres has no better sign for those who are not its clients; a start takes about 50 ms. */
    private static void awaitReady(Process process, Path data, ServerLog output, Duration deadline)
            throws IOException, InterruptedException, PostgresUnavailable {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < deadline.toNanos()) {
            var file = PostmasterPid.read(data);
            if (file.isPresent()
                    && file.get().pid() == process.pid()
                    && file.get().isReady()) {
                return;
            }
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new PostgresUnavailable("Postgres ended with code " + process.exitValue() + " while starting on "
                        + data + ", saying: " + output.tail() + " (its log is " + output.file() + ").");
            }
        }
        throw new PostgresUnavailable("Postgres on " + data + " was not ready after " + deadline.toSeconds()
                + " s, its last words: " + output.tail() + " (its log is " + output.file() + ").");
    }

    /** How to connect: by the Unix socket, where the port is only a part of its name. */
    public PgConnectOptions connectOptions() {
        return new PgConnectOptions()
                .setHost(socketDirectory.toString())
                .setPort(5432)
                .setUser(NAME)
                .setDatabase(NAME);
    }

    public long pid() {
        return process.pid();
    }

    /** Completes with its exit code when Postgres has ended, asked to or not. */
    public CompletionStage<Integer> exited() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Ends it in order, and by force if that takes too long; nothing that was committed is lost by either. */
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

    /** After it died: another Postgres on the same directory. */
    public EmbeddedPostgres startAgain() throws PostgresUnavailable {
        stop();
        return start(settings);
    }

    private static void end(Process process, Duration deadline) throws PostgresUnavailable, InterruptedException {
        for (String signal : List.of("INT", "QUIT")) {
            if (process.isAlive()) {
                Programs.signal(process.pid(), signal);
                // The second, "immediate", only has to end processes: no more than a moment.
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
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock taken = null;
        try {
            taken = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by this very process; the same to whoever asked.
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
