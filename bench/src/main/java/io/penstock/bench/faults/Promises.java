package io.penstock.bench.faults;

import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Checks after the faults what docs/operations.md promises to survive. */
final class Promises {

    private final Calls calls;
    private final SeenFrames seen;
    private final Path ran;
    private final TreeMap<String, Integer> outcomes = new TreeMap<>();
    private long frames;
    private long incomplete;
    private long tasks;

    Promises(Calls calls, SeenFrames seen, Path ran) {
        this.calls = calls;
        this.seen = seen;
        this.ran = ran;
    }

    /** Checks every task of a round; each has been accepted with 201. */
    void check(Map<String, Work> accepted) throws IOException, InterruptedException {
        for (Map.Entry<String, Work> each : accepted.entrySet()) {
            calls.post("/tasks/" + each.getKey() + "/cancel", each.getValue().key() + "-end", "{}");
        }
        Map<String, Integer> starts = starts();
        for (Map.Entry<String, Work> each : accepted.entrySet()) {
            check(
                    each.getKey(),
                    each.getValue(),
                    starts.getOrDefault(each.getValue().key(), 0));
            seen.forget(each.getKey());
        }
        checkNothingIsLeft(accepted.keySet());
        tasks += accepted.size();
    }

    private void check(String task, Work work, int starts) throws InterruptedException {
        HttpResponse<String> again = calls.post("/tasks", work.key(), work.request());
        String id = again.statusCode() == 201 ? new JsonObject(again.body()).getString("task_id") : again.body();
        expect(id.equals(task), task, "its key sent again was answered with " + id);
        JsonObject end = ended(task);
        long last = frames(task);
        expect(last + 1 == end.getLong("next_seq"), task, "its events end at " + last + ", its state says " + end);
        expect(last >= seen.highest(task), task, "frame " + seen.highest(task) + " was shown and is gone");
        String outcome = end.getString("outcome");
        outcomes.merge(outcome, 1, Integer::sum);
        boolean succeeded = outcome.equals("succeeded");
        expect(starts <= 1, task, "it was started " + starts + " times");
        expect(starts == 1 || !succeeded, task, "it has succeeded and was never started");
        checkOutput(task, work, end, succeeded);
    }

    private JsonObject ended(String task) throws InterruptedException {
        JsonObject state = new JsonObject();
        for (int i = 0; i < 4 && !"ended".equals(state.getString("phase")); i++) {
            state = new JsonObject(calls.get("/tasks/" + task + "?wait=30000").body());
        }
        expect("ended".equals(state.getString("phase")), task, "it does not end: " + state.encode());
        return state;
    }

    /** Returns the seq of the last frame; checks that all frames before it are there, in order, and unchanged. */
    private long frames(String task) throws InterruptedException {
        String events = calls.get("/tasks/" + task + "/events?until=end").body();
        long next = 0;
        JsonObject last = new JsonObject();
        for (String line : events.split("\n")) {
            if (line.startsWith("data: ")) {
                last = new JsonObject(line.substring("data: ".length()));
                expect(last.getLong("seq") == next, task, "frame " + next + " is missing");
                seen.show(task, last);
                next++;
            }
        }
        frames += next;
        expect(
                "tool_task_status".equals(last.getString("type")) && last.getLong("ended_at_ms") != null,
                task,
                "its last frame does not tell its end: " + last.encode());
        return next - 1;
    }

    private void checkOutput(String task, Work work, JsonObject end, boolean succeeded) throws InterruptedException {
        JsonObject artifacts = end.getJsonObject("artifacts");
        if (artifacts == null || artifacts.getJsonObject("logs") == null) {
            expect(!succeeded, task, "it has succeeded and has no outputs");
            return;
        }
        JsonObject log = artifacts.getJsonObject("logs").getJsonObject(work.channel());
        long stored = log.getLong("bytes_stored");
        boolean whole = log.getLong("bytes_total") == stored;
        HttpResponse<byte[]> answer = calls.bytes("/tasks/" + task + "/output/" + work.channel());
        if (answer.statusCode() == 410 || !whole) {
            incomplete++;
            return;
        }
        byte[] expected = work.output();
        byte[] output = answer.body();
        expect(answer.statusCode() == 200, task, "its output was answered with " + answer.statusCode());
        expect(output.length == stored, task, output.length + " bytes of output, and its end says " + stored);
        expect(
                !succeeded || output.length == expected.length,
                task,
                "it wrote " + expected.length + ", not " + output.length);
        boolean begins =
                output.length <= expected.length && Arrays.equals(output, 0, output.length, expected, 0, output.length);
        expect(begins, task, "its output is not what it wrote");
    }

    private Map<String, Integer> starts() throws IOException {
        var starts = new HashMap<String, Integer>();
        if (Files.exists(ran)) {
            Files.readAllLines(ran).forEach(key -> starts.merge(key, 1, Integer::sum));
        }
        return starts;
    }

    private static void checkNothingIsLeft(Set<String> ended) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(each -> each.getFileName().toString().matches("\\d+"))
                    .toList()) {
                String environment;
                try {
                    environment =
                            Files.readString(process.resolve("environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
                } catch (IOException e) {
                    // The process has ended, or belongs to another account.
                    continue;
                }
                for (String variable : environment.split("\0")) {
                    if (variable.startsWith("PENSTOCK_TASK_ID=") && ended.contains(variable.substring(17))) {
                        throw new SoakFailure("the task " + variable.substring(17) + " has ended, and its process "
                                + process.getFileName() + " is alive");
                    }
                }
            }
        }
    }

    private static void expect(boolean holds, String task, String otherwise) {
        if (!holds) {
            throw new SoakFailure("task " + task + ": " + otherwise);
        }
    }

    String figures() {
        return tasks + " tasks " + outcomes + ", " + frames + " frames read back, " + seen.shown() + " frames shown; "
                + incomplete + " outputs said to be incomplete or removed";
    }
}
