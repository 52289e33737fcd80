package io.penstock.engine.pump;

import static io.penstock.engine.pump.Wanted.bash;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.engine.policy.Policy;
import io.penstock.engine.session.Quotas;
import io.penstock.engine.spawn.RunningProcess;
import io.penstock.engine.spawn.SpawnFailure;
import io.penstock.engine.spawn.SpawnRequest;
import io.penstock.engine.spawn.Spawner;
import io.penstock.engine.spawn.epoll.NativeSpawner;
import io.penstock.frames.Containment;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.Outcome;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task whose start fails unexpectedly, for example because a class cannot be loaded, ends and releases its slot. */
@ExtendWith(VertxExtension.class)
class BrokenStartTest {

    @TempDir
    Path folder;

    private RunningEngine engine;

    /** Starts real programs; throws at the place that a program's command names. */
    private record BreakingSpawner(Spawner real) implements Spawner {

        @Override
        public RunningProcess spawn(SpawnRequest request) throws SpawnFailure {
            breakAt("spawn", request);
            RunningProcess program = real.spawn(request);
            return (RunningProcess) Proxy.newProxyInstance(
                    RunningProcess.class.getClassLoader(),
                    new Class<?>[] {RunningProcess.class},
                    (proxy, method, arguments) -> {
                        breakAt(method.getName(), request);
                        try {
                            return method.invoke(program, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private static void breakAt(String place, SpawnRequest request) {
            if (request.command().getLast().contains("break at " + place)) {
                throw new NoClassDefFoundError("some/Class");
            }
        }

        @Override
        public Containment containment() {
            return real.containment();
        }
    }

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(
                folder,
                MemoryFrameLog::new,
                () -> Policy.LOCAL,
                new Quotas(1, 1, 100),
                new BreakingSpawner(new NativeSpawner(Optional.empty()))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spawn", "attach", "containment"})
    void taskFailsAndNextOneRuns(String place) throws Exception {
        String holds = engine.spawn(bash("until [ -e go ]; do sleep 0.01; done", ExecutionMode.PIPES));
        String broken = engine.spawn(bash("exec sleep 600 # break at " + place, ExecutionMode.PIPES));
        String waits = engine.spawn(bash("echo yes", ExecutionMode.PIPES));
        Files.createFile(folder.resolve("go"));

        assertEquals(Outcome.SUCCEEDED, outcome(engine.ended(holds)));
        List<Frame> frames = engine.ended(broken);
        assertEquals(Outcome.FAILED, outcome(frames));
        assertEquals(
                "The server could not start it: java.lang.NoClassDefFoundError: some/Class",
                ((ToolTaskStatus) frames.getLast().body()).error());
        assertEquals(Outcome.SUCCEEDED, outcome(engine.ended(waits)));
        // It was killed, but may not have exited yet.
        for (ProcessHandle child : ProcessHandle.current().children().toList()) {
            if (child.info().commandLine().orElse("").contains("sleep 600")) {
                child.onExit().get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static Outcome outcome(List<Frame> frames) {
        return Objects.requireNonNull(TaskState.fold(frames).outcome());
    }
}
