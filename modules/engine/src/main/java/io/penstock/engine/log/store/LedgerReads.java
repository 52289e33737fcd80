package io.penstock.engine.log.store;

import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.SessionRow;
import io.penstock.engine.log.StatusFilter;
import io.penstock.engine.log.TaskCounts;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRow;
import io.penstock.engine.log.TaskRows;
import io.penstock.engine.log.drain.JournalDrain;
import io.penstock.engine.log.postgres.Database;
import io.penstock.engine.log.postgres.Sql;
import io.penstock.frames.ByteReader;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.FrameType;
import io.penstock.frames.Outcome;
import io.penstock.frames.Phase;
import io.penstock.frames.StoredForm;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Queries of streams, tasks and idempotency keys in the database. */
public final class LedgerReads {

    /** A stream's number and length in the database. */
    record Located(long streamNo, long nextSeq) {}

    /** The newest use of a key; the fingerprint is empty if the key was released, the answer null if there is none. */
    public record Used(int day, byte[] fingerprint, byte @Nullable [] answer, long atMs) {}

    private static final Phase[] PHASES = Phase.values();
    private static final Outcome[] OUTCOMES = Outcome.values();

    private final Database database;
    private final OverdueAnswers overdue;

    public LedgerReads(Database database, OverdueAnswers overdue) {
        this.database = database;
        this.overdue = overdue;
    }

    /** The stream's number; completes with null if nothing of the stream was drained. */
    Future<@Nullable Long> number(StreamId stream) {
        return query("find_stream", Tuple.of((short) stream.kind().code(), stream.id()))
                .map(rows -> rows.size() == 0 ? null : rows.iterator().next().getLong("stream_no"));
    }

    /** Completes with null if nothing of the stream was drained. */
    Future<@Nullable Located> find(StreamId stream) {
        return number(stream).compose(streamNo -> streamNo == null ? Future.succeededFuture() : located(streamNo));
    }

    private Future<@Nullable Located> located(long streamNo) {
        return query("next_seq", Tuple.of(streamNo))
                .map(rows -> new Located(
                        streamNo, rows.size() == 0 ? 0 : rows.iterator().next().getLong("next_seq")));
    }

    /** Fails with the reason why there is no such stream: there never was one, or it was removed. */
    <T> Future<T> missing(StreamId stream) {
        byte[] digest = RemovedStream.digest(stream);
        return query("find_removed", Tuple.of(RemovedStream.bucket(digest), RemovedStream.rest(digest)))
                .compose(rows -> {
                    RemovedStream removed = rows.size() == 0
                            ? null
                            : RemovedStream.of(rows.iterator().next());
                    return Future.failedFuture(
                            removed == null ? LogFailures.noStream(stream) : removed.failure(stream));
                });
    }

    Future<Page> page(StreamId stream, long streamNo, long fromSeq, long toSeq, int maxFrames) {
        return query("read_frames", Tuple.of(streamNo, fromSeq, toSeq, maxFrames))
                .map(rows -> {
                    var frames = new ArrayList<Frame>(rows.size());
                    for (Row row : rows) {
                        byte[] body = row.getBuffer("body").getBytes();
                        frames.add(frame(stream, row.getLong("seq"), row.getLong("at_ms"), row.getShort("type"), body));
                    }
                    return new Page(frames, fromSeq + frames.size());
                });
    }

    /** Completes with null if no use of the key was drained on this day or later. */
    public Future<@Nullable Used> find(String principal, String key, int fromDay) {
        return query("find_idempotency", Tuple.of(principal, key, fromDay)).map(rows -> {
            if (rows.size() == 0) {
                return null;
            }
            Row row = rows.iterator().next();
            Buffer answer = row.getBuffer("answer");
            return new Used(
                    row.getInteger("day"),
                    row.getBuffer("fingerprint").getBytes(),
                    answer == null ? null : answer.getBytes(),
                    row.getLong("at_ms"));
        });
    }

    Future<List<SessionRow>> sessions(@Nullable TaskCursor after, int limit) {
        return query("list_sessions", Tuple.of(after == null ? Long.MAX_VALUE : after.streamNo(), limit))
                .map(rows -> {
                    var sessions = new ArrayList<SessionRow>(rows.size());
                    for (Row row : rows) {
                        Frame last = frame(
                                StreamId.session(row.getString("stream_id")),
                                row.getLong("seq"),
                                row.getLong("at_ms"),
                                row.getShort("type"),
                                row.getBuffer("body").getBytes());
                        sessions.add(new SessionRow(row.getLong("stream_no"), row.getLong("started_at_ms"), last));
                    }
                    return sessions;
                });
    }

    Future<TaskRows> tasks(TaskQuery query) {
        TaskCursor after = query.after();
        long below = after == null ? Long.MAX_VALUE : after.streamNo();
        return query("list_tasks", criteria(query, below, query.standing(), query.limit() + 1))
                .compose(this::withFrames)
                .map(found -> TaskRows.of(found, query.limit()));
    }

    Future<TaskCounts> counts(TaskQuery query) {
        Tuple parameters = criteria(query, Long.MAX_VALUE, null, TaskCounts.MOST);
        return query("count_tasks", parameters).map(rows -> {
            var groups = new ArrayList<TaskCounts.Group>();
            for (Row row : rows) {
                Short outcome = row.getShort("outcome");
                groups.add(new TaskCounts.Group(
                        PHASES[row.getShort("phase")],
                        outcome == null ? null : OUTCOMES[outcome],
                        row.getLong("tasks")));
            }
            return new TaskCounts(groups);
        });
    }

    private static Tuple criteria(TaskQuery query, long below, @Nullable StatusFilter standing, int most) {
        TaskLabel label = query.label();
        return Tuple.of(below, query.sessionId())
                .addArrayOfShort(standing == null ? null : codes(standing.phases()))
                .addArrayOfShort(standing == null ? null : codes(standing.outcomes()))
                .addString(query.text())
                .addInteger(most)
                .addString(label == null ? null : label.text())
                .addArrayOfString(query.tools().isEmpty() ? null : query.tools().toArray(String[]::new))
                .addString(query.idPrefix())
                .addString(query.parentTaskId())
                .addString(query.batch())
                .addBoolean(query.withoutCleared());
    }

    private Future<List<TaskRow>> withFrames(RowSet<Row> tasks) {
        int count = tasks.size();
        if (count == 0) {
            return Future.succeededFuture(List.of());
        }
        var numbers = new Long[count];
        var ended = new Boolean[count];
        int i = 0;
        for (Row task : tasks) {
            numbers[i] = task.getLong("stream_no");
            ended[i] = task.getShort("outcome") != null;
            i++;
        }
        // The newest is the first.
        Tuple parameters = Tuple.tuple()
                .addArrayOfLong(numbers)
                .addArrayOfBoolean(ended)
                .addLong(numbers[count - 1])
                .addLong(numbers[0]);
        return query("frames_of_tasks", parameters).map(rows -> {
            var frames = new HashMap<Long, Row>();
            rows.forEach(row -> frames.put(row.getLong("stream_no"), row));
            var found = new ArrayList<TaskRow>(count);
            for (Row task : tasks) {
                found.add(task(task, Objects.requireNonNull(frames.get(task.getLong("stream_no")))));
            }
            return found;
        });
    }

    private static TaskRow task(Row row, Row frames) {
        Short outcome = row.getShort("outcome");
        return new TaskRow(
                row.getLong("stream_no"),
                row.getString("task_id"),
                PHASES[row.getShort("phase")],
                outcome == null ? null : OUTCOMES[outcome],
                row.getLong("started_at_ms"),
                row.getLong("ended_at_ms"),
                frames.getLong("next_seq"),
                (ToolTaskSpawned) body(FrameType.TOOL_TASK_SPAWNED, frames.getBuffer("spawned")),
                (ToolTaskStatus) body(FrameType.TOOL_TASK_STATUS, frames.getBuffer("told_end")),
                row.getBoolean("pinned"));
    }

    private static @Nullable FrameBody body(FrameType type, @Nullable Buffer stored) {
        return stored == null ? null : StoredForm.read(type, new ByteReader(stored.getBytes()));
    }

    private static Short[] codes(Set<? extends Enum<?>> constants) {
        return constants.stream().map(constant -> (short) constant.ordinal()).toArray(Short[]::new);
    }

    static Frame frame(StreamId stream, long seq, long timestampMs, int type, byte[] stored) {
        FrameBody body = StoredForm.read(FrameType.ofCode(type), new ByteReader(stored));
        return new Frame(stream, seq, timestampMs, body);
    }

    /** The rows of a named statement; fails with {@code DATABASE_UNAVAILABLE} soon after Postgres has stopped. */
    public Future<RowSet<Row>> query(String statement, Tuple parameters) {
        return overdue.watch(database.pool().preparedQuery(Sql.named(statement)).execute(parameters))
                // A server that vanished with its network never closes the connection.
                .timeout(JournalDrain.ANSWER_WITHIN_MS, TimeUnit.MILLISECONDS)
                .recover(e -> Future.failedFuture(
                        e instanceof Failure
                                ? e
                                : LogFailures.databaseAway(
                                        Objects.requireNonNullElse(e.getMessage(), e.toString()), e)));
    }
}
