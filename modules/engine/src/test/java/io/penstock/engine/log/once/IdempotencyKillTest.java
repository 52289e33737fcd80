package io.penstock.engine.log.once;

import static io.penstock.engine.log.FrameLogContract.assertFails;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("EXACTLY_ONCE")
@Tag("long")
class IdempotencyKillTest {

    private static final int ROUNDS = 3;

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();
    private final Requests requests = new Requests();

    /** The events that the killed process printed. */
    private record Said(Set<String> began, Set<String> answered, Set<String> failed) {}

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    @Test
    void afterKill9KeysKeepTheirAnswersAndNothingRunsTwice() throws Exception {
        var random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            Said said = runAndKill("r" + round, 20 + random.nextInt(400));
            Ledger ledger = folder.open(vertx);
            assertTrue(said.began().size() >= 20);
            check(ledger, said);
            await(ledger.close());
        }
    }

    @Test
    void undrainedKeysSurviveKill9() throws Exception {
        await(folder.open(vertx).close());
        Database database = TestDatabase.open(vertx, folder.schema);
        PgConnection holding = await(database.connect(1));
        // The child's drain then waits for the row, its reads do not.
        Said said = runAndKill("r", 300, () -> {
            await(holding.query("BEGIN").execute());
            await(holding.query("SELECT FROM node FOR UPDATE").execute());
        });
        assertEquals(
                0,
                await(database.pool().query("SELECT FROM idempotency").execute())
                        .size());
        await(holding.query("ROLLBACK").execute());
        Ledger ledger = folder.open(vertx);
        check(ledger, said);
        await(ledger.close());
        await(database.close());
    }

    private void check(Ledger ledger, Said said) {
        for (String key : said.began()) {
            int before = requests.runs.get();
            if (said.answered().contains(key)) {
                assertEquals("answer of " + key, await(requests.once(ledger, key, "create", "another")));
                assertEquals(before, requests.runs.get());
            } else if (said.failed().contains(key)) {
                assertEquals("another", await(requests.once(ledger, key, "create", "another")));
                assertEquals(before + 1, requests.runs.get());
            } else if (key.charAt(key.length() - 1) % 4 == 1) {
                assertFails(FailureCode.OUTCOME_UNKNOWN, requests.once(ledger, key, "create", "another"));
                assertEquals(before, requests.runs.get());
            } else {
                checkLast(ledger, key, before);
            }
        }
    }

    /** The key that the kill hit: its end may have been recorded but not printed. */
    private void checkLast(Ledger ledger, String key, int before) {
        boolean fails = key.charAt(key.length() - 1) % 4 == 0;
        try {
            String answer = await(requests.once(ledger, key, "create", "another"));
            assertEquals(fails ? "another" : "answer of " + key, answer);
            assertEquals(fails ? before + 1 : before, requests.runs.get());
        } catch (Failure e) {
            assertEquals(FailureCode.OUTCOME_UNKNOWN, e.code());
            assertEquals(before, requests.runs.get());
        }
    }

    private Said runAndKill(String round, int calls) throws IOException, InterruptedException {
        return runAndKill(round, calls, () -> {});
    }

    private Said runAndKill(String round, int calls, Runnable whenOpened) throws IOException, InterruptedException {
        Process child = child(round);
        var said = new Said(new HashSet<>(), new HashSet<>(), new HashSet<>());
        try (BufferedReader lines = child.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String key = line.substring(line.indexOf(' ') + 1);
                if (line.startsWith("opened")) {
                    whenOpened.run();
                    child.outputWriter().append('\n').flush();
                    continue;
                }
                switch (line.substring(0, line.indexOf(' '))) {
                    case "began" -> assertTrue(said.began().add(key), key);
                    case "answered" -> said.answered().add(key);
                    case "failed" -> said.failed().add(key);
                    case String other -> throw new AssertionError(other);
                }
                if (said.began().size() == calls) {
                    // By its handle, since destroying the Process would close the pipe with its unread content.
                    child.toHandle().destroyForcibly();
                }
            }
        } finally {
            child.destroyForcibly();
        }
        child.waitFor();
        assertFalse(said.began().size() < calls, "the child ended by itself");
        return said;
    }

    private Process child(String round) throws IOException {
        PgConnectOptions database = TestDatabase.postgres().connectOptions();
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AnswerUntilKilled.class.getName(),
                        folder.settings().journal().toString(),
                        database.getHost(),
                        Integer.toString(database.getPort()),
                        database.getUser(),
                        database.getDatabase(),
                        folder.schema,
                        round,
                        database.getPassword())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
