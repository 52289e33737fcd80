package io.penstock.bench.log;

import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.log.postgres.PostgresUnavailable;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A Postgres for one measurement, configured like the server's, in a folder that is deleted with it. */
public final class BenchPostgres implements AutoCloseable {

    private static final long ANSWER_WITHIN_SECONDS = 120;

    private final Path folder;
    private final EmbeddedPostgres postgres;

    private BenchPostgres(Path folder, EmbeddedPostgres postgres) {
        this.folder = folder;
        this.postgres = postgres;
    }

    public static BenchPostgres start() throws IOException, PostgresUnavailable {
        Path folder = Files.createTempDirectory("penstock-bench-");
        try {
            // As root, Postgres runs under another account, which must be able to enter.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            return new BenchPostgres(
                    folder,
                    EmbeddedPostgres.start(
                            EmbeddedPostgres.Settings.of(folder.resolve("postgres"), folder.resolve("programs"))));
        } catch (IOException | PostgresUnavailable | RuntimeException e) {
            delete(folder);
            throw e;
        }
    }

    public PgConnectOptions connectOptions() {
        return postgres.connectOptions();
    }

    /** A folder next to Postgres, on the same disk. */
    public Path folder(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException, PostgresUnavailable {
        postgres.stop();
        delete(folder);
    }

    /** Waits for the result; the measuring thread has nothing else to do. */
    public static <T extends @Nullable Object> T await(Future<T> future) {
        try {
            return future.await(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new CompletionException("no answer within " + ANSWER_WITHIN_SECONDS + " s", e);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
