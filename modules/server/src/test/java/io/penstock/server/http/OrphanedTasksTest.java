package io.penstock.server.http;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.Actor;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.server.tools.agents.OrphanedTasks;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of the background tasks of a session that has ended. */
@ExtendWith(VertxExtension.class)
class OrphanedTasksTest {

    private static final Duration KEPT = Duration.ofHours(24);

    private RunningEdge edge;
    private AgentTools tools;

    @BeforeEach
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        tools = AgentTools.of(edge, "parent");
    }

    /** Looks for orphans as if this time had passed. */
    private void sweepAfter(Duration passed) {
        await(new OrphanedTasks(
                        edge.vertx,
                        edge.tasks(),
                        edge.agents(),
                        edge.sessions,
                        KEPT.toMillis(),
                        () -> System.currentTimeMillis() + passed.toMillis())
                .sweep());
    }

    private void endSession() {
        assertEquals(200, edge.post("/sessions/parent/end", "{}").statusCode());
    }

    private boolean isCleared(String task) {
        return await(edge.state(task)).cleared();
    }

    private String joined(String prompt) {
        String task = tools.spawn(prompt);
        tools.join(task);
        return task;
    }

    @Test
    void orphansAreClearedAfterTheTtl() {
        String agent = joined("/say one");
        String command = tools.spawn("true", "command", "true");
        tools.join(command);
        String background = tools.start("/say two");
        tools.ended(background);
        String late = tools.spawn("/sleep 600000");
        tools.await(late, "task_turn_started");
        endSession();
        // The session has ended and its task still runs. The test calls no tool, because a call would use the session
        // again.
        await(edge.agents().prompt(late, TaskTurnStarted.Kind.STEER, "/say three", null, Actor.SERVER));
        edge.ended(late);
        sweepAfter(KEPT.minusMinutes(5));
        for (String task : List.of(agent, command, late)) {
            assertFalse(isCleared(task));
        }
        sweepAfter(KEPT.plusMinutes(5));
        for (String task : List.of(agent, command, late)) {
            assertTrue(isCleared(task));
        }
        tools.refused(404, "task_join", "task_id", agent);
        tools.refused(404, "background_output", "task_id", background);
        assertEquals(0, tools.call("task_list").getJsonArray("tasks").size());
        assertEquals("exited", edge.ended(agent).getString("status"), "its events stay until retention");
    }

    @Test
    void runningPinnedAndForeignTasksAreLeft() {
        String running = tools.spawn("/hang");
        tools.await(running, "task_turn_started");
        String pinned = joined("/say kept");
        assertEquals(
                204,
                edge.send(edge.to("/tasks/" + pinned + "/pin")
                                .PUT(BodyPublishers.noBody())
                                .build())
                        .statusCode());
        String foreign = edge.spawn(new JsonObject()
                .put("tool", "bash")
                .put("origin_session_id", "parent")
                .put("args", new JsonObject().put("command", "true")));
        edge.ended(foreign);
        endSession();
        sweepAfter(KEPT.plusHours(1));
        for (String task : List.of(running, pinned, foreign)) {
            assertFalse(isCleared(task));
        }
        assertNull(await(edge.state(running)).run().ending());
    }

    @Test
    void sessionThatIsOpenOrUsedAgainKeepsItsTasks() {
        String open = joined("/say open");
        sweepAfter(KEPT.plusHours(1));
        assertFalse(isCleared(open));
        endSession();
        assertEquals("open", tools.join(open).getString("result"));
        sweepAfter(KEPT.plusHours(1));
        assertFalse(isCleared(open));
    }

    @Test
    void oneSweepFindsTheTasksOfManySessions() {
        List<String> tasks = List.of("a", "b", "c").stream()
                .map(session -> {
                    AgentTools there = tools.in(session);
                    String task = there.spawn("true", "command", "true");
                    there.join(task);
                    assertEquals(
                            200,
                            edge.post("/sessions/" + session + "/end", "{}").statusCode());
                    return task;
                })
                .toList();
        sweepAfter(KEPT.plusHours(1));
        tasks.forEach(task -> assertTrue(isCleared(task)));
    }
}
