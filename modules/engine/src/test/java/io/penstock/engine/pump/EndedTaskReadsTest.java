package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.ReadOtherwise;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often the frames of an ended task are read for its state. */
class EndedTaskReadsTest {

    private static final Actor TESTER = Actor.user("tester");
    private static final int AT_ONCE = 50;

    private final AtomicInteger reads = new AtomicInteger();

    /** Its pages take a while, as those of a database. */
    private final class Counted extends ReadOtherwise {
        private final Vertx vertx;

        Counted(FrameLog log, Vertx vertx) {
            super(log);
            this.vertx = vertx;
        }

        @Override
        public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
            reads.incrementAndGet();
            var page = Promise.<Page>promise();
            vertx.runOnContext(later -> log.read(stream, fromSeq, maxFrames).onComplete(page));
            return page.future();
        }
    }

    @Test
    void endedTaskIsReadOnceAndOnlyAfterRestart(@TempDir Path folder) {
        Vertx ofTheLog = Vertx.vertx();
        var log = new MemoryFrameLog(ofTheLog);
        String task;
        try (var engine = new RunningEngine(folder, vertx -> new Counted(log, vertx))) {
            task = engine.spawn(bash("echo ready; read x; exit 5", ExecutionMode.PTY));
            engine.until(task, frame -> frame.body() instanceof ToolTaskOutputDelta);
            String running = task;
            await(Future.all(Stream.iterate(1, i -> i + 1)
                    .limit(2 * Limits.PAGE_FRAMES)
                    .map(i -> engine.tasks.apply(
                            new TaskCommand.Resize(running, new TerminalSize(10 + i % 5, 80), TESTER)))
                    .toList()));
            await(engine.tasks.apply(new TaskCommand.WriteInput(task, new byte[] {'\n'}, TESTER)));
            engine.ended(task);
            assertAllAreTold(engine, task);
            assertEquals(0, reads.get(), "pages read of what was known");
        }
        long pages = await(log.nextSeq(StreamId.task(task))) / Limits.PAGE_FRAMES + 1;
        try (var engine = new RunningEngine(folder, vertx -> new Counted(log, vertx))) {
            assertAllAreTold(engine, task);
            assertAllAreTold(engine, task);
            assertTrue(reads.get() <= pages + 1, () -> reads + " reads of " + pages + " pages");
        }
        await(ofTheLog.close());
    }

    private static void assertAllAreTold(RunningEngine engine, String task) {
        List<Future<TaskState>> asked =
                Stream.generate(() -> engine.tasks.state(task)).limit(AT_ONCE).toList();
        await(Future.all(asked));
        asked.forEach(each -> assertEquals(Ending.exit(5), each.result().run().ending()));
    }
}
