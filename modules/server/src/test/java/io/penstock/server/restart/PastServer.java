package io.penstock.server.restart;

import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerSettings;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.postgres.EmbeddedPostgres;
import io.penstock.engine.session.SessionApi;
import io.penstock.engine.session.SessionEvent;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The ledger of a server that ran some days ago. */
final class PastServer {

    private PastServer() {}

    /**
     * Writes tasks that ended so many days ago into a new data directory; returns their ids.
     *
     * @param session theirs, in whose mailbox nobody has read their ends; null for none
     */
    static List<String> ended(Path data, int tasks, int daysAgo, @Nullable String session) throws Exception {
        EmbeddedPostgres postgres = postgres(data);
        try {
            return ended(data, postgres.connectOptions(), tasks, daysAgo, session);
        } finally {
            postgres.stop();
        }
    }

    /** Starts the Postgres of a data directory. */
    static EmbeddedPostgres postgres(Path data) throws Exception {
        // As root, Postgres runs under another account, which must be able to enter.
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx--x--x"));
        Path programs =
                Path.of(System.getProperty("java.io.tmpdir"), "penstock-past-" + System.getProperty("user.name"));
        return EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(data.resolve("postgres"), programs));
    }

    /** The same with this database. */
    static List<String> ended(Path data, PgConnectOptions database, int tasks, int daysAgo, @Nullable String session)
            throws Exception {
        Vertx vertx = Vertx.vertx();
        long then = System.currentTimeMillis() - Duration.ofDays(daysAgo).toMillis();
        var ids = new ArrayList<String>();
        try {
            Ledger ledger = Ledger.open(vertx, LedgerSettings.of(data.resolve("journal"), database), () -> then)
                    .await();
            SessionApi sessions = SessionApi.deploy(vertx, ledger.frames(), ledger.sessions(), () -> then)
                    .await();
            for (int i = 0; i < tasks; i++) {
                String id = UUID.randomUUID().toString();
                ids.add(id);
                ToolTaskSpawned spec = spec(id, session);
                StreamWriter writer = ledger.frames().create(StreamId.task(id)).await();
                List<Frame> frames = List.of(
                        writer.append(then, spec).await(),
                        writer.append(then, ToolTaskStatus.running(then)).await(),
                        writer.append(then, succeeded(then)).await());
                writer.close();
                if (session != null) {
                    sessions.record(session, new SessionEvent.TaskStarted(id, spec))
                            .await();
                    sessions.record(session, new SessionEvent.TaskEnded(id, TaskState.fold(frames)))
                            .await();
                }
            }
            for (String deployment : sessions.deployments()) {
                vertx.undeploy(deployment).await();
            }
            ledger.drained().await();
            ledger.close().await();
        } finally {
            vertx.close().await();
        }
        return ids;
    }

    private static ToolTaskSpawned spec(String id, @Nullable String session) {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{\"command\":\"true\"}"),
                null,
                null,
                ExecutionMode.PTY,
                session,
                List.of(new LogRef(Channel.PTY, id + ".pty", "artifacts/00/" + id + ".pty.bytes")),
                null,
                null,
                Actor.user("http"));
    }

    private static ToolTaskStatus succeeded(long then) {
        return new ToolTaskStatus(
                Phase.ENDED,
                new Ending(Outcome.SUCCEEDED, 0, null),
                then,
                then,
                List.of(),
                null,
                null,
                Cause.EXIT,
                Actor.REAPER);
    }
}
