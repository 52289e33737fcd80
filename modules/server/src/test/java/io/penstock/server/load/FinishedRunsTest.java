package io.penstock.server.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.server.OneServer;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many sessions whose runs are polled while their frames are on their way from the journal to the database. */
@Tag("long")
class FinishedRunsTest extends OneServer {

    private static final int SESSIONS = 16;
    private static final int RUNS = 5;

    @Test
    void pollThatSaysFinishedHasAllItems() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> sessions = IntStream.range(0, SESSIONS)
                    .mapToObj(session -> threads.submit((Callable<Void>) () -> {
                        for (int run = 0; run < RUNS; run++) {
                            runOne("finished-" + session);
                        }
                        return null;
                    }))
                    .toList();
            for (Future<Void> session : sessions) {
                session.get();
            }
        }
    }

    private void runOne(String session) {
        String run = shell(new JsonObject()
                        .put("action", "spawn")
                        .put("command", "echo hello")
                        .put("session_id", session))
                .getString("run_id");
        client.ended(run);
        JsonObject finished = shell(new JsonObject().put("action", "poll").put("run_id", run));
        List<JsonObject> items = finished.getJsonArray("items").stream()
                .map(JsonObject.class::cast)
                .toList();
        assertEquals("succeeded", items.getLast().getString("payload"), finished::encode);
        assertEquals(
                "hello\n",
                items.stream()
                        .filter(item -> "stdout".equals(item.getString("type")))
                        .map(item -> item.getString("payload"))
                        .collect(Collectors.joining()));
    }

    private JsonObject shell(JsonObject call) {
        HttpResponse<String> answer = client.post("/tools/shell", call);
        assertEquals(200, answer.statusCode(), answer.body());
        return new JsonObject(answer.body());
    }
}
