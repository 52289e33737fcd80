package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.spawn.linux.UsageSampler;
import io.penstock.frames.Actor;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskResourceUsage;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the processes of a task use is recorded while it runs. */
@Tag("long")
@ExtendWith(VertxExtension.class)
class TaskUsageTest {

    @Test
    void theUsageOfAllProcessesOfATaskIsRecorded(TestBed bed) {
        UsageSampler sampler = bed.add(UsageSampler.ofThisMachine());
        RunningEngine engine = bed.add(new RunningEngine(bed.folder(), sampler));
        String task = engine.spawn(bash("sleep 600 & setsid sleep 600 & while :; do :; done", ExecutionMode.PIPES));
        List<Frame> frames = engine.recordedUntil(
                task,
                frame ->
                        frame.body() instanceof TaskResourceUsage usage && usage.cpuMs() > 0 && usage.processes() == 3);
        var usage = (TaskResourceUsage) frames.getLast().body();
        assertTrue(usage.memoryBytes() > 0, usage::toString);
        assertTrue(usage.memoryPeakBytes() >= usage.memoryBytes(), usage::toString);
        assertTrue(usage.overMs() > 0, usage::toString);

        await(engine.tasks.apply(new TaskCommand.Cancel(task, null, Actor.user("tester"))));
        List<Frame> all = engine.ended(task);
        List<Frame> recorded = all.stream()
                .filter(frame -> frame.body() instanceof TaskResourceUsage)
                .toList();
        assertEquals(recorded, await(engine.tasks.usage(task, 0)).frames());
        Frame stop = all.stream()
                .filter(frame -> frame.body() instanceof ToolTaskCancelRequested)
                .findFirst()
                .orElseThrow();
        assertTrue(recorded.getLast().seq() < stop.seq(), "a task that is being stopped is not measured");
    }
}
