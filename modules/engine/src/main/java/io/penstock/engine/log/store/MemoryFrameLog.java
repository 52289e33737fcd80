package io.penstock.engine.log.store;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.LogFailures;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.SessionIndex;
import io.penstock.engine.log.SessionRow;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.TaskCounts;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRow;
import io.penstock.engine.log.TaskRows;
import io.penstock.engine.log.drain.TaskChange;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A frame log that loses everything with its process, for tests of the layers above a log. Passes the same contract
 * suite.
 */
public final class MemoryFrameLog implements FrameLog, FrameFollower.Source, TaskIndex, SessionIndex {

    private static final class Stream {
        final long number;
        final List<Frame> frames = new ArrayList<>();
        final Set<FrameFollower> followers = new LinkedHashSet<>();

        @Nullable
        Writer writer;

        Stream(long number) {
            this.number = number;
        }
    }

    private final Vertx vertx;
    private final Map<StreamId, Stream> streams = new HashMap<>();
    private boolean closed;

    public MemoryFrameLog(Vertx vertx) {
        this.vertx = vertx;
    }

    @Override
    public synchronized Future<StreamWriter> create(StreamId stream) {
        return streams.containsKey(stream) ? Future.failedFuture(LogFailures.exists(stream)) : claim(stream, false);
    }

    @Override
    public Future<StreamWriter> open(StreamId stream) {
        return claim(stream, false);
    }

    @Override
    public Future<StreamWriter> takeOver(StreamId stream) {
        return claim(stream, true);
    }

    private synchronized Future<StreamWriter> claim(StreamId id, boolean takeOver) {
        if (closed) {
            return Future.failedFuture(LogFailures.closed());
        }
        Stream stream = streams.computeIfAbsent(id, _ -> new Stream(streams.size()));
        if (stream.writer != null && !takeOver) {
            return Future.failedFuture(LogFailures.hasWriter(id));
        }
        stream.writer = new Writer(id, stream);
        return Future.succeededFuture(stream.writer);
    }

    @Override
    public synchronized Future<Page> read(StreamId id, long fromSeq, int maxFrames) {
        Stream stream = streams.get(id);
        if (closed || stream == null) {
            return Future.failedFuture(closed ? LogFailures.closed() : LogFailures.noStream(id));
        }
        if (fromSeq < 0 || maxFrames < 1) {
            return Future.failedFuture(LogFailures.badRange(fromSeq, maxFrames));
        }
        int from = (int) Math.min(fromSeq, stream.frames.size());
        int to = (int) Math.min((long) from + maxFrames, stream.frames.size());
        return Future.succeededFuture(new Page(stream.frames.subList(from, to), from == to ? fromSeq : to));
    }

    @Override
    public synchronized Future<Long> nextSeq(StreamId id) {
        Stream stream = streams.get(id);
        return closed || stream == null
                ? Future.failedFuture(closed ? LogFailures.closed() : LogFailures.noStream(id))
                : Future.succeededFuture((long) stream.frames.size());
    }

    @Override
    public synchronized Future<List<SessionRow>> sessions(@Nullable TaskCursor after, int limit) {
        return Future.succeededFuture(streams.entrySet().stream()
                .filter(stream -> stream.getKey().kind() == StreamKind.SESSION)
                .map(Map.Entry::getValue)
                .filter(stream -> !stream.frames.isEmpty() && (after == null || stream.number < after.streamNo()))
                .sorted(Comparator.comparingLong((Stream stream) -> stream.number)
                        .reversed())
                .limit(limit)
                .map(stream ->
                        new SessionRow(stream.number, stream.frames.getFirst().timestampMs(), stream.frames.getLast()))
                .toList());
    }

    @Override
    public synchronized Future<TaskRows> list(TaskQuery query) {
        TaskCursor after = query.after();
        var found = new ArrayList<TaskRow>();
        streams.forEach((id, stream) -> {
            TaskRow row = row(id, stream, query);
            if (row != null && (after == null || stream.number < after.streamNo()) && query.matches(row)) {
                found.add(row);
            }
        });
        found.sort((a, b) -> Long.compare(b.streamNo(), a.streamNo()));
        return Future.succeededFuture(TaskRows.of(
                found.subList(0, Math.min(found.size(), query.limit() + 1)), query.limit()));
    }

    @Override
    public synchronized Future<TaskCounts> count(TaskQuery query) {
        var groups = new ArrayList<TaskCounts.Group>();
        streams.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<StreamId, Stream> stream) -> stream.getValue().number)
                        .reversed())
                .flatMap(stream -> Optional.ofNullable(row(stream.getKey(), stream.getValue(), query)).stream())
                .filter(row -> query.concerns(row.asked(), row.taskId()))
                .limit(TaskCounts.MOST)
                .forEach(row -> groups.add(new TaskCounts.Group(row.phase(), row.outcome(), 1)));
        return Future.succeededFuture(new TaskCounts(groups));
    }

    private static @Nullable TaskRow row(StreamId id, Stream stream, TaskQuery query) {
        var all = new TaskChange(stream.number);
        for (Frame frame : stream.frames) {
            all.add(frame.seq(), frame.timestampMs(), frame.body());
        }
        if (id.kind() != StreamKind.TASK || !all.begins || all.cleared && query.withoutCleared()) {
            return null;
        }
        Ending ending = all.ending;
        return new TaskRow(
                stream.number,
                id.id(),
                all.phase,
                ending == null ? null : ending.outcome(),
                all.startedAtMs,
                all.endedAtMs,
                stream.frames.size(),
                all.asked instanceof ToolTaskSpawned spawned ? spawned : null,
                all.toldEnd,
                Boolean.TRUE.equals(all.pinned));
    }

    @Override
    public FrameFollower follow(StreamId stream, long fromSeq) {
        return new FrameFollower(this, vertx.getOrCreateContext(), stream, fromSeq);
    }

    @Override
    public synchronized void watch(StreamId id, FrameFollower follower) {
        Stream stream = streams.get(id);
        if (stream != null) {
            stream.followers.add(follower);
        }
        if (closed) {
            follower.end();
        }
    }

    @Override
    public synchronized void unwatch(StreamId id, FrameFollower follower) {
        Stream stream = streams.get(id);
        if (stream != null) {
            stream.followers.remove(follower);
        }
    }

    @Override
    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized Future<Void> close() {
        closed = true;
        for (Stream stream : streams.values()) {
            List.copyOf(stream.followers).forEach(FrameFollower::end);
        }
        return Future.succeededFuture();
    }

    private final class Writer implements StreamWriter {

        private final StreamId id;
        private final Stream stream;
        private boolean released;

        Writer(StreamId id, Stream stream) {
            this.id = id;
            this.stream = stream;
        }

        @Override
        public StreamId stream() {
            return id;
        }

        @Override
        public long nextSeq() {
            synchronized (MemoryFrameLog.this) {
                return stream.frames.size();
            }
        }

        @Override
        public Future<Frame> append(long timestampMs, FrameBody body) {
            synchronized (MemoryFrameLog.this) {
                if (closed) {
                    return Future.failedFuture(LogFailures.closed());
                }
                if (stream.writer != this) {
                    return Future.failedFuture(released ? LogFailures.released(id) : LogFailures.fenced(id));
                }
                Frame frame;
                try {
                    frame = new Frame(id, stream.frames.size(), timestampMs, LogFailures.recordable(body));
                } catch (Failure | IllegalArgumentException e) {
                    return Future.failedFuture(LogFailures.refused(e));
                }
                stream.frames.add(frame);
                stream.followers.forEach(FrameFollower::wake);
                return Future.succeededFuture(frame);
            }
        }

        @Override
        public void close() {
            synchronized (MemoryFrameLog.this) {
                released = true;
                if (stream.writer == this) {
                    stream.writer = null;
                }
            }
        }
    }
}
