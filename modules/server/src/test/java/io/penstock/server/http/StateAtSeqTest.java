package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.pump.TaskView;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameJson;
import io.penstock.frames.TaskState;
import io.penstock.server.request.TaskJson;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The state at seq N is the fold of frames 0 to N, for every N. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class StateAtSeqTest {

    private RunningEdge edge;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
    }

    @Test
    void stateAtSeqIsTheFoldDuringAndAfterTheTask() {
        String task = edge.spawn("for i in 1 2 3; do echo line $i; sleep 0.05; done; read x; echo got; exit 4", "pty");
        edge.await(task, "line 3");
        edge.post("/tasks/" + task + "/resize", "{\"rows\": 50, \"cols\": 132}");
        List<JsonObject> living = states(task);
        assertTrue(living.size() >= 4, living::toString);
        edge.post("/tasks/" + task + "/stdin", "{\"chunk_b64\": \"DQ==\"}");
        JsonObject last = edge.ended(task);
        List<JsonObject> ended = states(task);
        assertEquals(last, ended.getLast());

        var folded = new ArrayList<JsonObject>();
        TaskState state = TaskState.ABSENT;
        for (RunningEdge.Event event : edge.events("/tasks/" + task + "/events?until=end")) {
            Frame frame = FrameJson.parse(event.frame().encode());
            state = state.after(frame);
            folded.add(TaskJson.status(TaskView.of(task, state)));
        }
        assertEquals(folded, ended);
        assertEquals(folded.subList(0, living.size()), living);
    }

    private List<JsonObject> states(String task) {
        int next = new JsonObject(edge.get("/tasks/" + task).body()).getInteger("next_seq");
        var states = new ArrayList<JsonObject>();
        for (int seq = 0; seq < next; seq++) {
            HttpResponse<String> answer = edge.get("/tasks/" + task + "?at_seq=" + seq);
            assertEquals(200, answer.statusCode(), answer.body());
            states.add(new JsonObject(answer.body()));
        }
        return states;
    }

    @Test
    void stateAtAMissingFrameNamesTheLastFrame() {
        String task = edge.spawn("true", "pipes");
        int next = edge.ended(task).getInteger("next_seq");
        for (String beyond : List.of(String.valueOf(next), "9007199254740991")) {
            BadRequestsTest.assertRefused(
                    edge.get("/tasks/" + task + "?at_seq=" + beyond),
                    400,
                    "INVALID_REQUEST",
                    "The task " + task + " has no frame " + beyond + "; its last is " + (next - 1));
        }
        BadRequestsTest.assertRefused(
                edge.get("/tasks/" + task + "?at_seq=-1"),
                400,
                "INVALID_REQUEST",
                "at_seq must be a whole number from 0");
        BadRequestsTest.assertRefused(
                edge.get("/tasks/" + task + "?at_seq=0&wait=1"),
                400,
                "INVALID_REQUEST",
                "wait and at_seq do not go together");
        BadRequestsTest.assertRefused(
                edge.get("/tasks/nobody?at_seq=0"), 404, "TASK_NOT_FOUND", "There is no task nobody");
    }
}
