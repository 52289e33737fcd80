package io.penstock.engine.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.penstock.engine.spawn.TerminalSize;
import io.penstock.engine.watch.WatchSpec;
import io.penstock.frames.Actor;
import io.penstock.frames.AgentSpec;
import io.penstock.frames.Budgets;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Keep;
import io.penstock.frames.Limits;
import io.penstock.frames.OnLost;
import io.penstock.frames.RecordInput;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.WatchScope;
import io.vertx.core.json.JsonObject;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The file of a queued task carries the whole request, and files of earlier servers are still read. */
class QueuedSpawnTest {

    private static final TaskBudget BUDGET = new TaskBudget(new Budgets(1L, 2L, 3L), "a rule", 90_000);

    /** Every component differs from its default. */
    private static final TaskRequest UNUSUAL = new TaskRequest(
            "bash",
            new JsonText("{\"command\":\"ls\"}"),
            List.of("/bin/bash", "-c", "ls"),
            Map.of("NAME", "value"),
            "folder",
            "a title",
            new TaskLabel("a-label"),
            ExecutionMode.PTY,
            new TerminalSize(30, 100),
            "a-session",
            null,
            7L,
            Duration.ofSeconds(90),
            Actor.user("alice"),
            RecordInput.ALL,
            Keep.ALL,
            true,
            List.of(new WatchSpec("er+or", "failed", Set.of(Channel.PTY), true, WatchScope.WINDOW)),
            OnLost.REQUEUE,
            true,
            new TaskLinks("above", 2, "b", false, new TaskLinks.Wake("agent", "look")),
            new AgentTurn(
                    new AgentSpec("coder", AgentSpec.Protocol.PI, "large", "high", AgentSpec.AfterTurn.STAY),
                    TaskTurnStarted.Kind.RESUME,
                    "go on",
                    "p-1"));

    @Test
    void queueFileCarriesTheWholeRequest() {
        var queued = new QueuedSpawn(5, UNUSUAL, BUDGET);
        assertEquals(queued, QueuedSpawn.read(new JsonObject(queued.toJson().encode())));
    }

    /** Otherwise a component that is not written could pass the test above by its default. */
    @Test
    void everyComponentOfSampleDiffersFromDefault() throws ReflectiveOperationException {
        TaskRequest usual =
                TaskRequest.builder("exec", List.of("true"), Actor.SERVER).build();
        for (RecordComponent component : TaskRequest.class.getRecordComponents()) {
            assertNotEquals(
                    component.getAccessor().invoke(usual),
                    component.getAccessor().invoke(UNUSUAL),
                    component.getName() + " has the usual value");
        }
    }

    @Test
    void fileOfAnEarlierServerIsRead() {
        QueuedSpawn queued = QueuedSpawn.read(new JsonObject("""
                {"arrival":5,"session":"a-session","command":["/bin/bash","-c","ls"],"environment":{"NAME":"value"},
                "cwd":"folder","mode":"PTY","rows":30,"cols":100,"timeout_ms":90000,"rule":"a rule","time_ms":1,
                "output_bytes":2,"events":3}"""));
        assertEquals(BUDGET, queued.budget());
        assertEquals(5, queued.arrival());
        assertEquals(
                TaskRequest.builder("exec", UNUSUAL.command(), Actor.SERVER)
                        .environment(UNUSUAL.environment())
                        .cwd("folder")
                        .terminal(new TerminalSize(30, 100))
                        .originSessionId("a-session")
                        .artifactMaxBytes(Limits.ARTIFACT_BYTES)
                        .timeout(Duration.ofSeconds(90))
                        .build(),
                queued.request());
    }
}
