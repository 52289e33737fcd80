package io.penstock.engine.task.record;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskRecordTest {

    private static final StreamId TASK = StreamId.task("t");
    private static final Throwable FULL = new IllegalStateException("no room for this one");

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** Refuses one frame, and accepts later ones. */
    private record RefusingOnce(StreamWriter writer, String refused) implements StreamWriter {
        @Override
        public StreamId stream() {
            return writer.stream();
        }

        @Override
        public long nextSeq() {
            return writer.nextSeq();
        }

        @Override
        public Future<Frame> append(long timestampMs, FrameBody body) {
            return body instanceof TaskNotice notice && notice.code().equals(refused)
                    ? Future.failedFuture(FULL)
                    : writer.append(timestampMs, body);
        }

        @Override
        public void close() {
            writer.close();
        }
    }

    @Test
    void nothingIsRecordedAfterFailedFrame() {
        var log = new MemoryFrameLog(vertx);
        var record = new TaskRecord(
                new RefusingOnce(await(log.create(TASK)), "refused"), System::currentTimeMillis, TaskState.ABSENT);
        await(record.write(new ToolTaskSpawned(
                "bash",
                new JsonText("{}"),
                null,
                "a task",
                ExecutionMode.PTY,
                null,
                List.of(new LogRef(Channel.PTY, "t.pty", "artifacts/t")),
                null,
                null,
                Actor.user("tester"))));
        assertSame(FULL, record.write(new TaskNotice("refused", "one")).cause());
        assertSame(FULL, record.write(new TaskNotice("next", "another")).cause());
        List<Frame> recorded = await(log.read(TASK, 0, 10)).frames();
        assertEquals(TaskState.fold(recorded), record.accepted());
        assertEquals(1, recorded.size());
    }

    /** A flood is stored by a worker, which may find that more frames are needed than expected; its slots are never all known. */
    @Test
    void stateReachedCountsFramesThatWereNotExpected() {
        var log = new MemoryFrameLog(vertx);
        var record = new TaskRecord(await(log.create(TASK)), System::currentTimeMillis, TaskState.ABSENT);
        await(record.write(new ToolTaskSpawned(
                "bash",
                new JsonText("{}"),
                null,
                "a task",
                ExecutionMode.PTY,
                null,
                List.of(new LogRef(Channel.PTY, "t.pty", "artifacts/t")),
                null,
                null,
                Actor.user("tester"))));
        await(record.write(ToolTaskStatus.running(record.now())));
        var first = new ToolTaskOutputDelta(Channel.PTY, 0, 10, 10);
        var second = new ToolTaskOutputDelta(Channel.PTY, 10, 10, 20);
        Promise<List<FrameBody>> firstKnown = Promise.promise();
        Promise<List<FrameBody>> secondKnown = Promise.promise();
        record.write(first, firstKnown.future());
        record.write(second, secondKnown.future());
        firstKnown.complete(List.of(new TaskNotice("one", "more"), new TaskNotice("two", "more"), first));
        Future<Frame> hit = record.write(new TaskWatcherHit("w1", "found", Channel.PTY, 0, 10, "0123456789", 4));
        secondKnown.complete(List.of(second));
        assertEquals(6, await(hit).seq());
        assertEquals(7, record.reached().nextSeq());
    }
}
