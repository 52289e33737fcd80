package io.penstock.engine.view;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.Wanted;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.testbed.TestBed;
import io.vertx.core.Future;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class ViewSessionTest {

    private RunningEngine engine;
    private String task = "";

    @BeforeAll
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
        task = engine.spawn(Wanted.bash("echo hello", ExecutionMode.PIPES));
        engine.ended(task);
    }

    /** Throws in one of its methods. Has no room at first. */
    private final class ThrowingSink implements ViewSink<String> {
        private final String method;
        final CompletableFuture<Throwable> failure = new CompletableFuture<>();
        private final ViewSession<String> session;
        private boolean blocked;

        ThrowingSink(String method, TaskState known) {
            this.method = method;
            session = new ViewSession<>(
                    engine.vertx,
                    engine.tasks::follow,
                    new FollowRange(task, known, 0, true),
                    new BatchLimits(100, 100),
                    SharedBatches.none(),
                    this);
        }

        private void enter(String entered) {
            if (entered.equals(method)) {
                throw new AssertionError(entered);
            }
        }

        @Override
        public boolean hasRoom() {
            enter("hasRoom");
            if (!blocked) {
                blocked = true;
                engine.vertx.runOnContext(later -> session.advance());
                return false;
            }
            return true;
        }

        @Override
        public int weigh(Frame frame) {
            enter("weigh");
            return 1;
        }

        @Override
        public String encode(List<Frame> batch) {
            enter("encode");
            return "";
        }

        @Override
        public void write(List<Frame> batch, String messages) {
            enter("write");
        }

        @Override
        public void delayed(Throwable why, long forMs) {}

        @Override
        public void ended() {
            enter("ended");
            failure.complete(new IllegalStateException("nothing failed"));
        }

        @Override
        public void closed() {}

        @Override
        public void failed(Throwable why) {
            failure.complete(why);
            session.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hasRoom", "weigh", "encode", "write", "ended"})
    void sinkIsNotifiedOfItsOwnExceptions(String method) throws Exception {
        var created = new CompletableFuture<ThrowingSink>();
        TaskState known = await(engine.tasks.state(task));
        engine.vertx.runOnContext(here -> {
            var sink = new ThrowingSink(method, known);
            sink.session.start();
            created.complete(sink);
        });
        ThrowingSink sink = created.get(20, TimeUnit.SECONDS);
        assertEquals(method, sink.failure.get(20, TimeUnit.SECONDS).getMessage());
    }

    /** Lets its session catch up at the first output, to the screen before the last frame. Records what it is sent. */
    private final class RecordingSink implements ViewSink<String>, CatchUpSource {
        final List<String> sent = new ArrayList<>();
        final CompletableFuture<List<String>> ended = new CompletableFuture<>();
        final ViewSession<String> session;
        private final List<Frame> frames;

        RecordingSink(TaskState known, List<Frame> frames) {
            this.frames = frames;
            session = new ViewSession<>(
                    engine.vertx,
                    engine.tasks::follow,
                    new FollowRange(task, known, 0, true),
                    new BatchLimits(1, 100),
                    SharedBatches.none(),
                    this,
                    this,
                    new CatchUpLimits(true, 100, Long.MAX_VALUE, Duration.ofHours(1), Integer.MAX_VALUE));
        }

        @Override
        public Future<TaskState> state() {
            return engine.tasks.state(task);
        }

        @Override
        public Future<RenderedScreen> screen() {
            return Future.succeededFuture(ViewedTask.screen(frames.size() - 2));
        }

        @Override
        public long written() {
            return Long.MAX_VALUE;
        }

        @Override
        public List<Frame> nonOutputFrames(long fromSeq, long lastSeq) {
            return frames.stream()
                    .filter(frame -> frame.seq() >= fromSeq && frame.seq() <= lastSeq)
                    .filter(frame -> !isOutput(frame))
                    .toList();
        }

        @Override
        public void fellBehind(long from, long to, boolean screen) {
            sent.add("behind " + from + " to " + to);
        }

        @Override
        public void writeScreen(RenderedScreen screen) {
            sent.add("screen " + screen.seq());
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public int weigh(Frame frame) {
            return 1;
        }

        @Override
        public String encode(List<Frame> batch) {
            return batch.stream().map(frame -> "" + frame.seq()).collect(Collectors.joining(" "));
        }

        @Override
        public void write(List<Frame> batch, String messages) {
            sent.addAll(List.of(messages.split(" ")));
        }

        @Override
        public void delayed(Throwable why, long forMs) {}

        @Override
        public void ended() {
            ended.complete(sent);
        }

        @Override
        public void closed() {}

        @Override
        public void failed(Throwable why) {
            ended.completeExceptionally(why);
        }
    }

    private static boolean isOutput(Frame frame) {
        return frame.body() instanceof ToolTaskOutputDelta;
    }

    @Test
    void screenReplacesOutputAndLaterFramesFollow() throws Exception {
        TaskState known = await(engine.tasks.state(task));
        List<Frame> frames = frames(known.nextSeq());
        long last = frames.size() - 1L;
        long firstOutput = frames.stream()
                .filter(ViewSessionTest::isOutput)
                .findFirst()
                .orElseThrow()
                .seq();
        assertTrue(firstOutput < last - 1, "frame " + firstOutput + " of " + frames.size());
        var created = new CompletableFuture<RecordingSink>();
        engine.vertx.runOnContext(here -> {
            var sink = new RecordingSink(known, frames);
            sink.session.start();
            created.complete(sink);
        });
        var expected = new ArrayList<String>();
        for (Frame frame : frames) {
            if (frame.seq() == firstOutput) {
                expected.add("behind " + firstOutput + " to " + last);
            }
            if (frame.seq() == last) {
                expected.add("screen " + (last - 1));
            }
            if (!isOutput(frame)) {
                expected.add("" + frame.seq());
            }
        }
        RecordingSink sink = created.get(20, TimeUnit.SECONDS);
        assertEquals(expected, sink.ended.get(20, TimeUnit.SECONDS));
    }

    private List<Frame> frames(long count) throws Exception {
        var all = new CompletableFuture<List<Frame>>();
        var frames = new ArrayList<Frame>();
        engine.tasks.follow(task, 0).handler(frame -> {
            frames.add(frame);
            if (frames.size() == count) {
                all.complete(frames);
            }
        });
        return all.get(20, TimeUnit.SECONDS);
    }
}
