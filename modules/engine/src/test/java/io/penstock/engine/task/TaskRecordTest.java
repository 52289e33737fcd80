package io.penstock.engine.task;

import static io.penstock.engine.Await.await;
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
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
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
}
