package io.penstock.engine.pump;

import static io.penstock.engine.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.MemoryFrameLog;
import io.penstock.engine.log.OneAtATime;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LongTaskTest {

    private static final int MANY = 20_000;

    @Test
    void theStateAfterVeryManyPagesIsTold(@TempDir Path folder) {
        try (var engine = new RunningEngine(folder, vertx -> new OneAtATime(vertx, new MemoryFrameLog(vertx)))) {
            String task = engine.spawn(Wanted.bash("cat", ExecutionMode.PTY));
            long seq = 0;
            for (int i = 1; i <= MANY; i++) {
                seq = await(engine.tasks.resize(task, new TerminalSize(20 + i % 2, 80), Actor.SERVER));
            }
            assertEquals(seq + 1, await(engine.tasks.stateAt(task, seq)).nextSeq());
        }
    }
}
