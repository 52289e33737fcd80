package io.penstock.engine.view;

import static io.penstock.engine.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.pump.RunningEngine;
import io.penstock.engine.pump.Wanted;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ViewSessionTest {

    private RunningEngine engine;
    private String task = "";

    @BeforeAll
    void begin(@TempDir Path folder) {
        engine = new RunningEngine(folder);
        task = engine.spawn(Wanted.bash("echo hello", ExecutionMode.PIPES));
        engine.ended(task);
    }

    @AfterAll
    void end() {
        engine.close();
    }

    /** Throws at one of its methods, which is given; the first time that it has no room, it says so. */
    private final class Breaking implements ViewSink<String> {
        private final String at;
        final CompletableFuture<Throwable> told = new CompletableFuture<>();
        private final ViewSession<String> showing;
        private boolean heldUp;

        Breaking(String at, TaskState known) {
            this.at = at;
            var following = new FollowRange(task, known, 0, true);
            showing = new ViewSession<>(
                    engine.vertx,
                    engine.tasks::follow,
                    following,
                    new ViewSession.BatchLimits(100, 100),
                    SharedBatches.none(),
                    this);
        }

        private void reach(String place) {
            if (place.equals(at)) {
                throw new AssertionError(at);
            }
        }

        @Override
        public boolean hasRoom() {
            reach("hasRoom");
            if (!heldUp) {
                heldUp = true;
                engine.vertx.runOnContext(later -> showing.advance());
                return false;
            }
            return true;
        }

        @Override
        public void beforeBatch(Frame frame, boolean heldUp) {
            reach("goesOnWith");
        }

        @Override
        public boolean wants(Frame frame) {
            reach("shows");
            return true;
        }

        @Override
        public int weigh(Frame frame) {
            reach("bytesOf");
            return 1;
        }

        @Override
        public String encode(List<Frame> batch) {
            reach("messages");
            return "";
        }

        @Override
        public void write(List<Frame> batch, String messages) {
            reach("write");
        }

        @Override
        public void delayed(Throwable why, long forMs) {}

        @Override
        public void ended() {
            reach("ended");
            told.complete(new IllegalStateException("nothing broke"));
        }

        @Override
        public void closed() {}

        @Override
        public void failed(Throwable why) {
            told.complete(why);
            showing.stop();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hasRoom", "goesOnWith", "shows", "bytesOf", "messages", "write", "ended"})
    void anAudienceIsToldOfWhateverIsThrownWhileItIsShownSomething(String at) throws Exception {
        var breaking = new CompletableFuture<Breaking>();
        TaskState known = await(engine.tasks.state(task));
        engine.vertx.runOnContext(here -> {
            var audience = new Breaking(at, known);
            audience.showing.start();
            breaking.complete(audience);
        });
        assertEquals(
                at,
                breaking.get(20, TimeUnit.SECONDS)
                        .told
                        .get(20, TimeUnit.SECONDS)
                        .getMessage());
    }

    /** Notes what it is shown. */
    private final class Noting implements ViewSink<String> {
        final List<String> shown = new ArrayList<>();
        final CompletableFuture<List<String>> ended = new CompletableFuture<>();
        final ViewSession<String> showing;

        Noting(TaskState known) {
            var following = new FollowRange(task, known, 0, true);
            showing = new ViewSession<>(
                    engine.vertx,
                    engine.tasks::follow,
                    following,
                    new ViewSession.BatchLimits(2, 100),
                    SharedBatches.none(),
                    this);
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void beforeBatch(Frame frame, boolean heldUp) {}

        @Override
        public boolean wants(Frame frame) {
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
            shown.addAll(List.of(messages.split(" ")));
        }

        @Override
        public void delayed(Throwable why, long forMs) {}

        @Override
        public void ended() {
            ended.complete(shown);
        }

        @Override
        public void closed() {}

        @Override
        public void failed(Throwable why) {
            ended.completeExceptionally(why);
        }
    }

    @Test
    void whoLeapsIsShownWhatItIsGivenAndThenAllThatFollows() throws Exception {
        TaskState known = await(engine.tasks.state(task));
        var all = new CompletableFuture<List<Frame>>();
        var frames = new ArrayList<Frame>();
        engine.tasks.follow(task, 0).handler(frame -> {
            frames.add(frame);
            if (frames.size() == known.nextSeq()) {
                all.complete(frames);
            }
        });
        all.get(20, TimeUnit.SECONDS);
        assertTrue(frames.size() > 5, "of " + frames.size() + " frames");
        var audience = new CompletableFuture<Noting>();
        engine.vertx.runOnContext(here -> {
            var noting = new Noting(known);
            noting.showing.start();
            noting.showing.skipTo(List.of(frames.get(0), frames.get(2)), 3, () -> noting.shown.add("a screen"));
            assertEquals(0, noting.showing.nextSeq());
            audience.complete(noting);
        });
        var expected = new ArrayList<>(List.of("0", "2", "a screen"));
        frames.stream().skip(4).forEach(frame -> expected.add("" + frame.seq()));
        assertEquals(expected, audience.get(20, TimeUnit.SECONDS).ended.get(20, TimeUnit.SECONDS));
    }
}
