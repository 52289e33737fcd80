package io.penstock.engine.host;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.pump.RunningEngine;
import io.penstock.frames.Actor;
import io.penstock.frames.Cause;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.FrameBody;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.Phase;
import io.penstock.frames.RefusedSpawn;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskLabel;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.testbed.TestBed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tasks of hosts are in the log, more than one answer has, with tasks between them that are not listed. */
@ExtendWith(VertxExtension.class)
class ManyTasksTest {

    private static final int PAGE = 1_000;

    private RunningEngine engine;
    private Context context;
    private HostTasks hostTasks;

    @BeforeEach
    void start(TestBed bed) {
        engine = bed.add(new RunningEngine(bed.folder()));
        context = engine.vertx.getOrCreateContext();
        hostTasks = new HostTasks(engine.tasks, engine.agents, Actor.user("tester"), context);
    }

    @Test
    void pagesHaveEveryTaskOnceInTheOrderOfCreation() {
        List<String> names =
                IntStream.range(0, PAGE + 1).mapToObj(i -> "task-" + i).toList();
        names.forEach(name -> record(HostDirectory.TOOL, name));
        JsonObject newest = state(null);
        assertEquals(names.subList(1, names.size()), names(newest));
        JsonObject oldest = state(newest.getString("next"));
        assertEquals(names.subList(0, 1), names(oldest));
        assertNull(oldest.getString("next"));
    }

    @Test
    void otherTasksOfTheSessionAreNoTasksOfHosts() {
        record(HostDirectory.TOOL, "mine");
        for (int i = 0; i < 2 * PAGE; i++) {
            record("bash", "mine");
        }
        JsonObject state = state(null);
        assertEquals(List.of("mine"), names(state));
        assertNull(state.getString("next"));
        assertEquals(
                "stopped",
                here(() -> hostTasks.stop(new TaskLabel("mine"))).content().getString("state"));
    }

    @Test
    void refusedTasksMakeAPageShorter() {
        record(HostDirectory.TOOL, "older");
        for (int i = 0; i < PAGE; i++) {
            refuse();
        }
        record(HostDirectory.TOOL, "newer");
        var listed = new ArrayList<String>();
        JsonObject page = state(null);
        for (; page.containsKey("next"); page = state(page.getString("next"))) {
            listed.addAll(names(page));
        }
        listed.addAll(names(page));
        assertEquals(List.of("newer", "older"), listed);
    }

    private JsonObject state(@Nullable String after) {
        return here(() -> hostTasks.state(after == null ? null : TaskCursor.parse(after)));
    }

    /** The result of an operation on the context of all hosts. */
    private <T> T here(Supplier<Future<T>> operation) {
        Promise<T> result = Promise.promise();
        context.runOnContext(turn -> operation.get().onComplete(result));
        return await(result.future());
    }

    private static List<String> names(JsonObject state) {
        JsonArray rows = state.getJsonArray("tasks");
        return rows.stream().map(row -> ((JsonObject) row).getString("taskId")).toList();
    }

    private void record(String tool, String label) {
        record(
                new ToolTaskSpawned(
                        tool,
                        new JsonText("{}"),
                        null,
                        null,
                        ExecutionMode.PIPES,
                        HostDirectory.SESSION,
                        Stream.of(Channel.STDOUT, Channel.STDERR)
                                .map(channel -> new LogRef(channel, "art", "artifacts/art"))
                                .toList(),
                        null,
                        null,
                        Actor.user("tester"),
                        null,
                        new TaskLabel(label),
                        null,
                        null,
                        null,
                        false,
                        null,
                        null),
                new ToolTaskStatus(
                        Phase.ENDED, Ending.exit(0), null, 9L, List.of(), null, null, Cause.EXIT, Actor.REAPER));
    }

    private void refuse() {
        var asked = new RefusedSpawn(
                HostDirectory.TOOL,
                new JsonText("{}"),
                null,
                null,
                ExecutionMode.PIPES,
                HostDirectory.SESSION,
                new TaskLabel("refused"),
                Actor.user("tester"));
        record(ToolTaskStatus.refusal(asked, 9, "no", Cause.POLICY, Actor.POLICY));
    }

    private void record(FrameBody... bodies) {
        StreamId stream = StreamId.task(UUID.randomUUID().toString());
        try (StreamWriter writer = await(engine.log.create(stream))) {
            for (FrameBody body : bodies) {
                await(writer.append(1, body));
            }
        }
    }
}
