package io.penstock.engine.log;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contract of every frame log, whatever stores its frames. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("DENSE")
@Tag("SEAMLESS")
public abstract class FrameLogContract {

    /** The log under test; every test creates new streams, so one log serves all of them. */
    protected abstract FrameLog log();

    protected abstract Vertx vertx();

    @Test
    void framesComeBackAsTheyWereAppended() {
        StreamId stream = fresh();
        StreamWriter writer = await(log().open(stream));
        var appended = new ArrayList<Frame>();
        appended.add(await(writer.append(1, Bodies.spawned("первый ✓"))));
        appended.add(await(writer.append(2, Bodies.delta(0, 512))));
        appended.add(await(writer.append(3, Bodies.notice(7))));

        assertEquals(appended, readAll(stream));
        assertEquals(3, writer.nextSeq());
        assertEquals(0, appended.getFirst().seq());
        assertEquals(Bodies.spawned("первый ✓"), appended.getFirst().body());
    }

    @Test
    void seqIsDenseWhileManyThreadsWriteManyStreams() throws Exception {
        var streams = new ArrayList<StreamId>();
        var threads = new ArrayList<Thread>();
        var failures = Collections.synchronizedList(new ArrayList<Throwable>());
        for (int t = 0; t < 4; t++) {
            StreamId stream = fresh();
            streams.add(stream);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    StreamWriter writer = await(log().open(stream));
                    for (int i = 0; i < 2_000; i++) {
                        assertEquals(
                                i, await(writer.append(i, Bodies.notice(i))).seq());
                    }
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), failures);
        for (StreamId stream : streams) {
            assertDense(readAll(stream), 0, 2_000);
        }
    }

    @Test
    void aSecondWriterIsRefusedUntilTheFirstLetsGo() {
        StreamId stream = fresh();
        StreamWriter first = await(log().open(stream));
        assertFails(FailureCode.STREAM_HAS_WRITER, log().open(stream));

        await(first.append(1, Bodies.notice(0)));
        first.close();
        assertFails(FailureCode.INVALID_REQUEST, first.append(2, Bodies.notice(1)));

        StreamWriter second = await(log().open(stream));
        assertEquals(1, second.nextSeq());
        assertEquals(1, await(second.append(3, Bodies.notice(1))).seq());
        assertDense(readAll(stream), 0, 2);
    }

    @Test
    void replacedWriterIsFencedAndItsFramesAreNotMerged() {
        StreamId stream = fresh();
        StreamWriter old = await(log().open(stream));
        await(old.append(1, Bodies.notice(0)));
        StreamWriter next = await(log().takeOver(stream));

        assertFails(FailureCode.WRITER_FENCED, old.append(2, Bodies.notice(66)));
        assertEquals(1, await(next.append(3, Bodies.notice(1))).seq());
        old.close();
        assertEquals(2, await(next.append(4, Bodies.notice(2))).seq());
        assertDense(readAll(stream), 0, 3);
    }

    @Test
    void unknownStreamIsNotFound() throws Exception {
        assertFails(FailureCode.STREAM_NOT_FOUND, log().read(fresh(), 0, 10));
        assertFails(FailureCode.STREAM_NOT_FOUND, log().nextSeq(fresh()));

        var failed = new CountDownLatch(1);
        log().follow(fresh(), 0).exceptionHandler(e -> failed.countDown()).handler(f -> {});
        assertTrue(failed.await(10, TimeUnit.SECONDS));
    }

    @Test
    void throwingFollowerGetsTheExceptionAndNoMoreFrames() throws Exception {
        StreamId stream = fresh();
        StreamWriter writer = await(log().open(stream));
        await(writer.append(0, Bodies.notice(0)));
        await(writer.append(1, Bodies.notice(1)));
        var told = new CompletableFuture<Throwable>();
        var shown = new AtomicInteger();
        log().follow(stream, 0).exceptionHandler(told::complete).handler(frame -> {
            shown.incrementAndGet();
            throw new IllegalStateException("cannot bear frame " + frame.seq());
        });
        assertEquals("cannot bear frame 0", told.get(10, TimeUnit.SECONDS).getMessage());
        await(writer.append(2, Bodies.notice(2)));
        assertEquals(1, shown.get());
    }

    @Test
    void impossibleReadRangeIsRefused() {
        StreamId stream = fresh();
        await(log().open(stream));
        assertFails(FailureCode.INVALID_REQUEST, log().read(stream, -1, 10));
        assertFails(FailureCode.INVALID_REQUEST, log().read(stream, 0, 0));
        assertThrows(Failure.class, () -> log().follow(stream, -1));
        assertEquals(new Page(List.of(), 5), await(log().read(stream, 5, 10)));
    }

    @Test
    void nextSeqIsKnownWithoutAWriter() {
        StreamId stream = fresh();
        StreamWriter writer = await(log().create(stream));
        assertEquals(0, await(log().nextSeq(stream)));
        for (int i = 1; i <= 5; i++) {
            await(writer.append(i, Bodies.notice(i)));
            assertEquals(i, await(log().nextSeq(stream)));
        }
        writer.close();
        assertEquals(5, await(log().nextSeq(stream)));
    }

    @Test
    void pagesFromAnySeqAreTheSameFrames() {
        StreamId stream = fresh();
        StreamWriter writer = await(log().open(stream));
        for (int i = 0; i < 300; i++) {
            await(writer.append(i, Bodies.notice(i)));
        }
        var random = new Random(5);
        for (int round = 0; round < 50; round++) {
            int from = random.nextInt(301);
            Page page = await(log().read(stream, from, 1 + random.nextInt(40)));
            assertDense(page.frames(), from, from + page.frames().size());
            assertTrue(from == 300 || !page.frames().isEmpty());
            assertEquals(from + page.frames().size(), page.nextSeq());
        }
    }

    @Test
    void lateJoinerSeesEveryFrameOnce() throws Exception {
        StreamId stream = fresh();
        StreamWriter writer = await(log().open(stream));
        int count = 3_000;
        var followers = new ArrayList<Recording>();
        for (int i = 0; i < count; i++) {
            if (i % 300 == 0) {
                followers.add(new Recording(stream, 0, count));
                followers.add(new Recording(stream, i, count));
                // From a seq that does not exist yet.
                followers.add(new Recording(stream, Math.min(i + 200, count - 1), count));
            }
            await(writer.append(i, Bodies.notice(i)));
        }
        for (Recording follower : followers) {
            follower.awaitAll();
        }
    }

    @Test
    void pausedFollowerDelaysNoOneAndMissesNothing() throws Exception {
        StreamId stream = fresh();
        StreamWriter writer = await(log().open(stream));
        var paused = new Recording(stream, 0, 2_000);
        paused.follower.pause();
        await(vertxTurn(paused));
        var fast = new Recording(stream, 0, 2_000);
        for (int i = 0; i < 2_000; i++) {
            await(writer.append(i, Bodies.notice(i)));
        }
        fast.awaitAll();
        int seen = paused.frames.size();
        paused.follower.fetch(3);
        await(vertxTurn(paused));
        assertTrue(paused.frames.size() <= seen + 3);
        paused.follower.resume();
        paused.awaitAll();
    }

    @Test
    void aCancelledFollowerSeesNoMore() throws Exception {
        StreamId stream = fresh();
        StreamWriter writer = await(log().open(stream));
        var cancelled = new Recording(stream, 0, 1);
        await(writer.append(0, Bodies.notice(0)));
        cancelled.awaitAll();
        cancelled.follower.cancel();
        await(vertxTurn(cancelled));
        var other = new Recording(stream, 0, 2);
        await(writer.append(1, Bodies.notice(1)));
        other.awaitAll();
        assertEquals(1, cancelled.frames.size());
    }

    @Test
    void aFrameOfTheWrongKindOfStreamIsRefusedAndTakesNoSeq() {
        StreamId session = StreamId.session("s-" + UUID.randomUUID());
        StreamWriter writer = await(log().open(session));
        assertFails(FailureCode.ILLEGAL_FRAME, writer.append(1, new TaskNotice("a", "b")));
        assertEquals(0, writer.nextSeq());
        assertEquals(List.of(), await(log().read(session, 0, 10)).frames());
    }

    @Test
    void theSameNameIsAnotherStreamForASession() {
        String name = "same-" + UUID.randomUUID();
        StreamWriter task = await(log().open(StreamId.task(name)));
        await(task.append(1, Bodies.notice(0)));
        assertFails(FailureCode.STREAM_NOT_FOUND, log().read(StreamId.session(name), 0, 1));
    }

    /** A follower on its own context, and the frames it has seen. */
    final class Recording {
        final List<Frame> frames = Collections.synchronizedList(new ArrayList<>());
        final FrameFollower follower;
        private final CountDownLatch complete = new CountDownLatch(1);
        private final long from;
        private final long to;
        private final Context context = vertx().getOrCreateContext();

        Recording(StreamId stream, long from, long to) {
            this.from = from;
            this.to = to;
            var made = new CompletableFuture<FrameFollower>();
            context.runOnContext(v -> made.complete(log().follow(stream, from)
                    .exceptionHandler(e -> complete.countDown())
                    .handler(frame -> {
                        frames.add(frame);
                        if (frame.seq() == to - 1) {
                            complete.countDown();
                        }
                    })));
            follower = made.join();
        }

        void awaitAll() throws InterruptedException {
            assertTrue(complete.await(30, TimeUnit.SECONDS), () -> "saw " + frames.size() + " of " + (to - from));
            assertDense(List.copyOf(frames), from, to);
        }
    }

    /** Completes when everything queued on the follower's context so far has run. */
    private Future<Void> vertxTurn(Recording recording) {
        var turn = Promise.<Void>promise();
        recording.context.runOnContext(v -> recording.context.runOnContext(w -> turn.complete()));
        return turn.future();
    }

    List<Frame> readAll(StreamId stream) {
        var frames = new ArrayList<Frame>();
        long from = 0;
        while (true) {
            Page page = await(log().read(stream, from, 1_000));
            if (page.frames().isEmpty()) {
                return frames;
            }
            frames.addAll(page.frames());
            from = page.nextSeq();
        }
    }

    public static void assertDense(List<Frame> frames, long from, long to) {
        assertEquals(to - from, frames.size());
        long seq = from;
        for (Frame frame : frames) {
            assertEquals(seq, frame.seq());
            assertEquals(Bodies.notice(seq), frame.body());
            seq++;
        }
    }

    public static void assertFails(FailureCode code, Future<?> future) {
        Failure failure = assertThrows(Failure.class, () -> await(future));
        assertEquals(code, failure.code(), failure.getMessage());
    }

    public static StreamId fresh() {
        return StreamId.task("t-" + UUID.randomUUID());
    }
}
