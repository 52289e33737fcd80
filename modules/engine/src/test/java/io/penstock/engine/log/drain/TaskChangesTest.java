package io.penstock.engine.log.drain;

import static io.penstock.engine.log.FrameLogContract.fresh;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.CommandText;
import io.penstock.engine.log.TaskIndexContract;
import io.penstock.engine.log.journal.Fsync;
import io.penstock.engine.log.journal.Journal;
import io.penstock.engine.log.journal.JournalReader;
import io.penstock.engine.log.journal.JournalSettings;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Partitions;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.Actor;
import io.penstock.frames.ByteWriter;
import io.penstock.frames.Cause;
import io.penstock.frames.Ending;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskCancelled;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows of tasks agree with their frames, however the drain groups them, and are changed once. */
class TaskChangesTest {

    private static final int DAY = 20_775;

    /** All frames that change a row, with a second run. */
    private static final List<FrameBody> LIFE = List.of(
            TaskIndexContract.spawned("s1", "a\0title", "its-label"),
            ToolTaskStatus.running(5),
            new ToolTaskCancelRequested("enough", Cause.REQUEST, Actor.SERVER),
            new ToolTaskCancelled("enough", 3),
            new ToolTaskStatus(
                    Phase.ENDED,
                    new Ending(Outcome.CANCELLED, 143, 15),
                    null,
                    8L,
                    List.of(),
                    null,
                    null,
                    Cause.REQUEST,
                    Actor.REAPER),
            new TaskRunStarted(2, TaskRunStarted.Kind.values()[0], Actor.SERVER),
            ToolTaskStatus.running(20));

    /** The table's row of a task. */
    private record Stored(
            String taskId,
            @Nullable String session,
            @Nullable String label,
            @Nullable String tool,
            @Nullable String title,
            @Nullable Integer mode,
            @Nullable Long spawnedAtMs,
            int phase,
            @Nullable Integer outcome,
            @Nullable Integer exitCode,
            @Nullable Long startedAtMs,
            @Nullable Long endedAtMs,
            @Nullable String command) {}

    private final Vertx vertx = Vertx.vertx();
    private final Path folder = TestDatabase.directory();
    private final UUID nodeId = UUID.randomUUID();
    private final Database database = TestDatabase.open(vertx);
    private final Journal journal = Journal.open(
            new JournalSettings(folder.resolve("journal"), nodeId, 1 << 20, 300_000, 64 << 20, new Fsync.Never()), 0);
    private final ByteWriter record = new ByteWriter();
    private NodeClaim node = claim();
    private long drained = journal.tail();
    private long nextStream = Partitions.firstStreamNo(DAY);

    TaskChangesTest() {
        await(Partitions.ensureFrameDay(database.pool(), DAY));
        await(database.pool().query("UPDATE node SET drained = " + drained).execute());
    }

    @AfterEach
    void close() {
        journal.close();
        await(database.close());
        await(vertx.close());
        TestDatabase.delete(folder);
    }

    @Test
    void rowEqualsTheFoldForAnyGrouping() {
        for (int frames = 1; frames <= LIFE.size(); frames++) {
            for (int cuts = 0; cuts < 1 << frames; cuts++) {
                StreamId stream = fresh();
                long streamNo = nextStream++;
                List<Long> places = new ArrayList<>();
                TaskState state = write(streamNo, stream, LIFE.subList(0, frames), places);
                for (int i = 0; i < frames; i++) {
                    if ((cuts & 1 << i) != 0) {
                        assertEquals(1, send(group(places.get(i))));
                    }
                }
                assertEquals(1, send(group(journal.tail())));
                int cut = cuts;
                int count = frames;
                assertEquals(
                        expected(stream, state),
                        stored(streamNo),
                        () -> count + " frames, cut " + Integer.toBinaryString(cut));
            }
        }
    }

    @Test
    void groupWrittenBeforeAKillIsNotWrittenAgain() {
        StreamId stream = fresh();
        long streamNo = nextStream++;
        var places = new ArrayList<Long>();
        TaskState state = write(streamNo, stream, LIFE.subList(0, 5), places);
        DrainGroup spawn = group(places.get(2));
        NodeClaim killed = node;
        assertEquals(1, send(spawn));
        Stored before = stored(streamNo);

        // The answer is lost: the next process reads its position from the database, and continues there.
        node = claim();
        assertEquals(spawn.end(), node.drained());
        assertEquals(0, send(spawn, killed));
        assertEquals(0, send(spawn, node));
        assertEquals(before, stored(streamNo));
        drained = node.drained();
        DrainGroup rest = group(journal.tail());
        assertEquals(1, send(rest));
        assertEquals(0, send(rest, node));
        assertEquals(expected(stream, state), stored(streamNo));
        assertEquals(1, count());
    }

    @Test
    void unreadableFrameIsKeptAndDoesNotBlockTheDrain() {
        long broken = nextStream++;
        StreamId stream = fresh();
        LogRecord.writeBegun(record, broken, fresh());
        journal.append(record.array(), 0, record.length());
        record.clear();
        record.writeByte(LogRecord.FRAMED);
        record.writeNumber(broken);
        record.writeNumber(0);
        record.writeNumber(1);
        record.writeByte(1);
        record.writeByte(99);
        journal.append(record.array(), 0, record.length());
        TaskState state = write(nextStream, stream, LIFE.subList(0, 2), new ArrayList<>());
        assertEquals(1, send(group(journal.tail())));
        assertEquals(expected(stream, state), stored(nextStream));
        assertEquals(1, count());
    }

    @Test
    void aStreamWhoseNameIsTakenIsNotListed() {
        StreamId stream = fresh();
        write(nextStream, stream, LIFE.subList(0, 1), new ArrayList<>());
        send(group(journal.tail()));
        write(nextStream + 1, stream, LIFE.subList(0, 2), new ArrayList<>());
        assertEquals(1, send(group(journal.tail())));
        assertEquals(1, count());
        assertEquals(Phase.QUEUED.ordinal(), stored(nextStream).phase());
    }

    /** @param places filled with the position after the beginning and after each frame but the last */
    private TaskState write(long streamNo, StreamId stream, List<FrameBody> bodies, List<Long> places) {
        LogRecord.writeBegun(record, streamNo, stream);
        journal.append(record.array(), 0, record.length());
        TaskState state = TaskState.ABSENT;
        for (int seq = 0; seq < bodies.size(); seq++) {
            places.add(journal.tail());
            var frame = new Frame(stream, seq, 100 + seq, bodies.get(seq));
            LogRecord.writeFramed(record, streamNo, frame);
            journal.append(record.array(), 0, record.length());
            state = state.after(frame);
        }
        return state;
    }

    private DrainGroup group(long below) {
        JournalReader reader = journal.reader(drained);
        return DrainGroup.fill(reader, drained, below);
    }

    private int send(DrainGroup group) {
        int written = send(group, node);
        drained = group.end();
        return written;
    }

    private int send(DrainGroup group, NodeClaim as) {
        return await(database.pool().preparedQuery(Sql.named("append_group")).execute(group.parameters(as)))
                .iterator()
                .next()
                .getInteger("written");
    }

    private NodeClaim claim() {
        Row row = await(database.pool().preparedQuery(Sql.named("claim_node")).execute(Tuple.of(nodeId, 0L)))
                .iterator()
                .next();
        return new NodeClaim(row.getInteger("node_no"), row.getLong("epoch"), row.getLong("drained"));
    }

    private static Stored expected(StreamId stream, TaskState state) {
        Ending ending = state.run().ending();
        return new Stored(
                stream.id(),
                "s1",
                "its-label",
                "bash",
                "a\uFFFDtitle",
                1,
                100L,
                state.phase().ordinal(),
                ending == null ? null : ending.outcome().ordinal(),
                ending == null ? null : ending.exitCode(),
                state.run().startedAtMs(),
                state.run().endedAtMs(),
                CommandText.of(Objects.requireNonNull(state.asked())));
    }

    private Stored stored(long streamNo) {
        Row row = await(database.pool()
                        .query("SELECT * FROM task WHERE stream_no = " + streamNo)
                        .execute())
                .iterator()
                .next();
        return new Stored(
                row.getString("task_id"),
                row.getString("session_id"),
                row.getString("label"),
                row.getString("tool"),
                row.getString("title"),
                row.getInteger("mode"),
                row.getLong("spawned_at_ms"),
                row.getInteger("phase"),
                row.getInteger("outcome"),
                row.getInteger("exit_code"),
                row.getLong("started_at_ms"),
                row.getLong("ended_at_ms"),
                row.getString("command"));
    }

    private long count() {
        return await(database.pool().query("SELECT count(*) FROM task").execute())
                .iterator()
                .next()
                .getLong(0);
    }
}
