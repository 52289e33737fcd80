package io.penstock.engine.pump;

import static io.penstock.engine.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskState;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
        public void goesOnWith(Frame frame) {
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
}
