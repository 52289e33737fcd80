package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.ExecutionMode;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class IdleTasksTest {

    /** More than the worker pool may still grow by. */
    private static final int MANY = 60;

    private RunningEngine engine;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
    }

    @AfterEach
    void close() {
        engine.stop();
    }

    /** The first tasks fill the shared thread pools. */
    @Test
    void noTaskHasThreadOfItsOwn() throws IOException {
        running(MANY);
        long before = threads();
        running(MANY);
        long more = threads() - before;
        assertTrue(more < MANY / 10, more + " threads more with " + MANY + " tasks more");
    }

    private void running(int count) {
        var tasks = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            tasks.add(engine.spawn(bash("exec sleep 1000", i % 2 == 0 ? ExecutionMode.PTY : ExecutionMode.PIPES)));
        }
        for (String task : tasks) {
            engine.until(task, frame -> frame.body() instanceof ToolTaskStatus);
        }
    }

    /** The threads that serve programs; the JVM's own come and go. */
    private static long threads() throws IOException {
        long found = 0;
        try (var all = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path thread : all) {
                String name = name(thread);
                boolean jvms =
                        name.matches("(?s)(C[12] Comp|GC |G1 |VM |Sweeper|Signal|Common|Reference|Finalizer|Attach).*");
                found += jvms || name.isEmpty() ? 0 : 1;
            }
        }
        return found;
    }

    /** Empty if the thread has ended. */
    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm"));
        } catch (IOException e) {
            return "";
        }
    }
}
