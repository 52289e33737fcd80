package io.penstock.bench.soak.log;

import io.penstock.bench.soak.SoakFailure;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The setup of one scenario: a folder, a Postgres that outlives the appenders, and the book. */
final class SoakSetup implements AutoCloseable {

    /** Small, so that a soak rolls through many. */
    static final int SEGMENT_BYTES = 512 << 10;

    private static final long BACKLOG_BYTES = 8L << 20;

    /** Streams that an appending process may continue. */
    private static final int KNOWN_STREAMS = 60;

    private static final long WARM_FRAMES = 3_000;
    private static final long WARM_WITHIN_MS = 5_000;

    final Path folder;
    final Random random;
    final AcceptedBook book = new AcceptedBook();
    final Path journal;
    private final Vertx vertx = Vertx.vertx();
    private EmbeddedPostgres postgres;
    private @Nullable AppenderProcess running;
    private final AppenderCommand command;
    private int life;
    private int kills;
    private long cut;

    SoakSetup(long seed) throws IOException, PostgresUnavailable {
        // Not in a home directory: Postgres' account must be able to reach it.
        folder = Files.setPosixFilePermissions(
                Files.createTempDirectory("penstock-soak-"), PosixFilePermissions.fromString("rwxr-xr-x"));
        journal = Files.createDirectory(folder.resolve("journal"));
        random = new Random(seed);
        command = AppenderCommand.in(folder);
        postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(
                folder.resolve("postgres"),
                Path.of("/tmp", "penstock-soak-install-" + System.getProperty("user.name"))));
    }

    /** By SIGKILL or in order. */
    void takePostgresDown() throws PostgresUnavailable, InterruptedException {
        if (random.nextInt(3) > 0) {
            ProcessHandle.of(postgres.pid()).ifPresent(ProcessHandle::destroyForcibly);
            postgres.exited().toCompletableFuture().join();
        } else {
            postgres.stop();
        }
    }

    void bringPostgresBack() throws PostgresUnavailable {
        postgres = postgres.startAgain();
    }

    /** Fails if no frame is accepted within this time. */
    void requireAccepted(String when, long withinMs) throws IOException, InterruptedException {
        if (!book.awaitMoreThan(book.frames(), withinMs)) {
            AppenderProcess stuck = running;
            if (stuck != null) {
                stuck.writeThreads(folder.resolve("threads"));
            }
            throw new SoakFailure("no frame was accepted for " + withinMs + " ms " + when);
        }
    }

    int kills() {
        return kills;
    }

    /** Frames that were accepted but not yet in Postgres when the journal was damaged. */
    long cut() {
        return cut;
    }

    AppenderProcess startAppender() throws IOException {
        life++;
        List<String> known = book.some(random, KNOWN_STREAMS);
        Path streams = Files.write(folder.resolve("streams"), known);
        Orders orders = orders(streams);
        AppenderProcess started = AppenderProcess.start(
                life == 1 ? command.forTheFirst(orders) : command.of(orders), book, folder.resolve("appenders.log"));
        running = started;
        return started;
    }

    /** Runs a process that is stopped in order, so that the next ones start quickly. */
    void warmUp() throws IOException, InterruptedException {
        AppenderProcess first = startAppender();
        first.requireReady();
        book.awaitMoreThan(WARM_FRAMES, WARM_WITHIN_MS);
        running = null;
        first.end();
    }

    void kill(AppenderProcess appender) throws InterruptedException {
        running = null;
        appender.kill();
        kills++;
    }

    private Orders orders(Path streams) {
        PgConnectOptions options = postgres.connectOptions();
        return new Orders(
                journal,
                options.getHost(),
                options.getPassword(),
                SEGMENT_BYTES,
                BACKLOG_BYTES,
                random.nextLong(),
                life,
                streams);
    }

    private Verification verification() {
        LedgerSettings settings = orders(folder).settings();
        return new Verification(vertx, settings);
    }

    /** Checks the streams that changed since the last check. */
    Verification.Findings checkNews(Verification.Loss loss) {
        Verification.Findings findings = verification().of(book.takeTouched(), book.names(), loss);
        cut += findings.cut();
        return findings;
    }

    /** Checks every stream. */
    Verification.Findings checkAll() {
        return verification().of(book.all(), book.names(), Verification.Loss.NONE);
    }

    /** Only after success: the leftovers of a failure are worth examining. */
    void delete() throws IOException {
        close();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void close() {
        AppenderProcess left = running;
        if (left != null) {
            left.abandon();
        }
        Verification.get(vertx.close());
        try {
            postgres.stop();
        } catch (PostgresUnavailable e) {
            throw new SoakFailure(String.valueOf(e.getMessage()), e);
        }
    }
}
