package io.penstock.engine.log.postgres;

import static io.penstock.engine.log.postgres.TestDatabase.failure;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MigrationsTest {

    private static final Migrations.Migration FIRST =
            Migrations.Migration.of("0001_first.sql", "CREATE TABLE first (n int)");
    private static final Migrations.Migration SECOND =
            Migrations.Migration.of("0002_second.sql", "CREATE TABLE second (n int); INSERT INTO second VALUES (2)");

    private final Vertx vertx = Vertx.vertx();
    private final String schema = TestDatabase.freshSchema();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Test
    void everyMigrationFileIsListedInOrder() throws Exception {
        Path directory = Path.of(
                        MigrationsTest.class.getResource("migrations/index.txt").toURI())
                .getParent();
        try (var files = Files.list(directory)) {
            assertEquals(
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".sql"))
                            .sorted()
                            .toList(),
                    Migrations.bundled().stream()
                            .map(Migrations.Migration::name)
                            .toList());
        }
        Migrations.of(Migrations.bundled(), schema);
    }

    @Test
    void eachStepIsAppliedOnce() {
        await(await(open(FIRST)).close());
        await(await(open(FIRST, SECOND)).close());
        Database database = await(open(FIRST, SECOND));
        assertEquals(
                2,
                await(database.pool().query("SELECT n FROM second").execute())
                        .iterator()
                        .next()
                        .getInteger(0));
        await(database.close());
    }

    @Test
    void manyAtOnceAllSucceed() {
        var opened = new ArrayList<Future<Database>>();
        for (int i = 0; i < 6; i++) {
            opened.add(open(FIRST, SECOND));
        }
        opened.forEach(each -> await(await(each).close()));
    }

    @Test
    void aDatabaseNewerThanTheProgramIsRefused() {
        await(await(open(FIRST, SECOND)).close());
        assertEquals(
                "The schema '" + schema + "' is at version 2 and this Penstock knows versions up to 1:"
                        + " run a newer Penstock, or another schema or database.",
                failure(open(FIRST)).getMessage());
    }

    @Test
    void aMigrationThatWasEditedAfterItWasAppliedIsRefused() {
        await(await(open(FIRST)).close());
        var edited = Migrations.Migration.of("0001_first.sql", "CREATE TABLE first (n bigint)");
        assertTrue(String.valueOf(failure(open(edited)).getMessage()).contains("was made by another 0001_first.sql"));
    }

    @Test
    void aStepThatFailsLeavesNothingOfItself() {
        var broken = Migrations.Migration.of("0002_broken.sql", "CREATE TABLE second (n int); SELECT nonsense");
        String message = String.valueOf(failure(open(FIRST, broken)).getMessage());
        assertTrue(message.contains("nonsense"), message);
        await(await(open(FIRST, SECOND)).close());
    }

    @Test
    void tasksOlderThanLabelsHaveNone() {
        Database before = await(open(Migrations.bundled().subList(0, 2).toArray(Migrations.Migration[]::new)));
        await(before.pool()
                .query(
                        "INSERT INTO task (stream_no, task_id, phase) SELECT n, 'old-' || n, 7 FROM generate_series(1, 3) n")
                .execute());
        await(before.close());
        Database now = await(open(Migrations.bundled().toArray(Migrations.Migration[]::new)));
        await(now.pool()
                .query("INSERT INTO task (stream_no, task_id, phase, label) VALUES (4, 'new', 7, 'a-label')")
                .execute());
        assertEquals(
                "new old-3 old-2 old-1",
                await(now.pool()
                                .query("SELECT string_agg(task_id, ' ' ORDER BY stream_no DESC) FROM task"
                                        + " WHERE label IS NULL OR label = 'a-label'")
                                .execute())
                        .iterator()
                        .next()
                        .getString(0));
        await(now.close());
    }

    private Future<Database> open(Migrations.Migration... steps) {
        return Database.open(
                vertx, TestDatabase.postgres().connectOptions(), schema, 1, List.of(steps), Duration.ofSeconds(10));
    }
}
