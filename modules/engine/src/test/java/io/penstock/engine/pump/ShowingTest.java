package io.penstock.engine.pump;

import static io.penstock.engine.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
class ShowingTest {

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
    private final class Breaking implements Audience<String> {
        private final String at;
        final CompletableFuture<Throwable> told = new CompletableFuture<>();
        private final Showing<String> showing;
        private boolean heldUp;

        Breaking(String at, TaskState known) {
            this.at = at;
            var following = new Following(task, known, 0, true);
            showing = new Showing<>(
                    engine.vertx, engine.tasks, following, new Showing.Batches(100, 100), SharedBatches.none(), this);
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
                engine.vertx.runOnContext(later -> showing.goOn());
                return false;
            }
            return true;
        }

        @Override
        public void goesOnWith(Frame frame, boolean heldUp) {
            reach("goesOnWith");
        }

        @Override
        public boolean shows(Frame frame) {
            reach("shows");
            return true;
        }

        @Override
        public int bytesOf(Frame frame) {
            reach("bytesOf");
            return 1;
        }

        @Override
        public String messages(List<Frame> batch) {
            reach("messages");
            return "";
        }

        @Override
        public void write(List<Frame> batch, String messages) {
            reach("write");
        }

        @Override
        public void ended() {
            reach("ended");
            told.complete(new IllegalStateException("nothing broke"));
        }

        @Override
        public void closed() {}

        @Override
        public void brokeOff(Throwable why) {
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
            audience.showing.begin();
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
    private final class Noting implements Audience<String> {
        final List<String> shown = new ArrayList<>();
        final CompletableFuture<List<String>> ended = new CompletableFuture<>();
        final Showing<String> showing;

        Noting(TaskState known) {
            var following = new Following(task, known, 0, true);
            showing = new Showing<>(
                    engine.vertx, engine.tasks, following, new Showing.Batches(2, 100), SharedBatches.none(), this);
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void goesOnWith(Frame frame, boolean heldUp) {}

        @Override
        public boolean shows(Frame frame) {
            return true;
        }

        @Override
        public int bytesOf(Frame frame) {
            return 1;
        }

        @Override
        public String messages(List<Frame> batch) {
            return batch.stream().map(frame -> "" + frame.seq()).collect(Collectors.joining(" "));
        }

        @Override
        public void write(List<Frame> batch, String messages) {
            shown.addAll(List.of(messages.split(" ")));
        }

        @Override
        public void ended() {
            ended.complete(shown);
        }

        @Override
        public void closed() {}

        @Override
        public void brokeOff(Throwable why) {
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
            noting.showing.begin();
            noting.showing.leap(List.of(frames.get(0), frames.get(2)), 3, () -> noting.shown.add("a screen"));
            assertEquals(0, noting.showing.nextSeq());
            audience.complete(noting);
        });
        var expected = new ArrayList<>(List.of("0", "2", "a screen"));
        frames.stream().skip(4).forEach(frame -> expected.add("" + frame.seq()));
        assertEquals(expected, audience.get(20, TimeUnit.SECONDS).ended.get(20, TimeUnit.SECONDS));
    }
}
