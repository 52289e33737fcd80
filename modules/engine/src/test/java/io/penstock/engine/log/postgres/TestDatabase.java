package io.penstock.engine.log.postgres;

import static io.penstock.testbed.Await.await;

import io.penstock.testbed.TestBed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One Postgres for all tests of a JVM, each with its own schema; it ends with the JVM. */
public final class TestDatabase {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static @Nullable EmbeddedPostgres shared;
    private static @Nullable Path seed;

    private TestDatabase() {}

    public static synchronized EmbeddedPostgres postgres() {
        if (shared == null) {
            try {
                Path directory = directory();
                EmbeddedPostgres started = EmbeddedPostgres.start(settings(directory));
                Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started, directory)));
                shared = started;
            } catch (PostgresUnavailable e) {
                throw new AssertionError(e.getMessage(), e);
            }
        }
        return shared;
    }

    public static Database open(Vertx vertx) {
        return open(vertx, freshSchema());
    }

    public static Database open(Vertx vertx, String schema) {
        return await(Database.open(vertx, postgres().connectOptions(), schema, 4));
    }

    public static String freshSchema() {
        return "test_" + SCHEMAS.incrementAndGet();
    }

    public static EmbeddedPostgres.Settings settings(Path directory) {
        return EmbeddedPostgres.Settings.of(directory, install());
    }

    /** Kept between runs, as unpacking takes a second. In /tmp, since the account 'nobody' must reach it. */
    public static Path install() {
        return Path.of("/tmp", "penstock-test-install-" + System.getProperty("user.name"));
    }

    /** For tests with their own Postgres: a directory that the account 'nobody' can reach, unlike JUnit's. */
    public static Path directory() {
        return TestBed.newFolder();
    }

    /** Like {@link #directory}, with a copy of an initialized cluster, which saves each test a second. */
    public static synchronized Path directoryWithData() {
        try {
            Path template = seed;
            if (template == null) {
                template = directory();
                Path made = template;
                EmbeddedPostgres.start(settings(made)).stop();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(made)));
                seed = template;
            }
            Path directory = directory();
            var copied = Programs.run(List.of("cp", "-a", template + "/data", directory.toString()));
            if (copied.exit() != 0) {
                throw new AssertionError(copied.output());
            }
            return directory;
        } catch (PostgresUnavailable e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    public static void delete(Path directory) {
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static Throwable failure(Future<?> future) {
        return await(future.map(result -> (Throwable) new AssertionError("succeeded with " + result))
                .otherwise(cause -> cause));
    }

    private static void end(EmbeddedPostgres postgres, Path directory) {
        try {
            postgres.stop();
        } catch (PostgresUnavailable e) {
            throw new IllegalStateException(e);
        }
        delete(directory);
    }
}
