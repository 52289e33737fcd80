package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.frames.FailureCode;
import io.penstock.server.failure.ErrorAnswers;
import io.vertx.core.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of docs/http.md, docs/tools.md and docs/agents.md are true: each is sent as it stands there, in its order, and answered as it
 * stands there. In an answer, {@code …} stands for anything; {@code {task}} for the id of the task spawned last. So is the table of errors.
 */
class HttpExamplesTest {

    private static final Pattern EXAMPLE = Pattern.compile(
            "```http-example\\n(?<method>[A-Z]+) (?<path>\\S+)\\n(?<request>[^`]*?)\\n(?<status>[0-9]{3})\\n(?<answer>[^`]*?)```");
    private static final Pattern TASK = Pattern.compile("\\{\"task_id\":\"([^\"]+)\"}");

    @Test
    void everyExampleIsAnsweredAsItSays(@TempDir Path folder) throws IOException {
        assertEquals(
                new TreeSet<>(List.of(
                        "DELETE /tasks",
                        "GET /artifacts/{task}.stdout",
                        "GET /tasks",
                        "GET /tasks/counts",
                        "GET /tasks/{task}",
                        "GET /tasks/{task}/events",
                        "GET /tasks/{task}/output",
                        "GET /tasks/{task}/output/stdout",
                        "GET /tasks/{task}/recording.cast",
                        "GET /tasks/{task}/screen",
                        "POST /tasks",
                        "POST /tasks/{task}/cancel",
                        "POST /tasks/{task}/resize",
                        "POST /tasks/{task}/signal",
                        "POST /tasks/{task}/stdin")),
                answered(Files.readString(document("docs/http.md")), folder));
    }

    @Test
    void everyExampleOfAToolIsAnsweredAsItSays(@TempDir Path folder) throws IOException {
        assertEquals(
                new TreeSet<>(List.of(
                        "GET /tools",
                        "POST /tools/artifact_fetch",
                        "POST /tools/artifact_store",
                        "POST /tools/background_cancel",
                        "POST /tools/background_clear",
                        "POST /tools/background_list",
                        "POST /tools/background_output",
                        "POST /tools/background_task",
                        "POST /tools/shell",
                        "POST /tools/task_join",
                        "POST /tools/task_kill",
                        "POST /tools/task_list",
                        "POST /tools/task_spawn",
                        "POST /tools/task_status",
                        "POST /tools/task_steer")),
                answered(Files.readString(document("docs/tools.md")), folder));
    }

    @Test
    void everyExampleOfAnAgentIsAnsweredAsItSays(@TempDir Path folder) throws IOException {
        assertEquals(
                new TreeSet<>(List.of("POST /tools/task_join", "POST /tools/task_spawn")),
                answered(Files.readString(document("docs/agents.md")), folder));
    }

    /** The operations of a page's examples, each of which was answered as the page says. */
    private static TreeSet<String> answered(String page, Path folder) {
        int fences = page.split("```http-example", -1).length - 1;
        List<String> seen = new ArrayList<>();
        try (var edge = new RunningEdge(folder)) {
            String task = "";
            Matcher example = EXAMPLE.matcher(page);
            while (example.find()) {
                String path = example.group("path").replace("{task}", task);
                HttpResponse<String> answer = ask(
                        edge,
                        example.group("method"),
                        path,
                        example.group("request").strip());
                assertEquals(Integer.parseInt(example.group("status")), answer.statusCode(), answer.body());
                String expected = example.group("answer").strip().replace("{task}", task);
                assertTrue(
                        matches(expected, answer.body().strip()),
                        () -> "Expected of " + path + ":\n" + expected + "\nbut it was:\n" + answer.body());
                Matcher spawned = TASK.matcher(answer.body());
                if (spawned.matches()) {
                    task = spawned.group(1);
                    // Control needs a program that has started, and a reader of the page is slower than this test.
                    edge.await(task, "\"started_at_ms\":1");
                }
                seen.add(example.group("method") + " " + example.group("path").replaceAll("\\?.*", ""));
            }
        }
        assertEquals(fences, seen.size(), "an example cannot be read");
        return new TreeSet<>(seen);
    }

    @Test
    void everyFailureCodeIsDocumentedWithItsStatus() throws IOException {
        String page = Files.readString(document("docs/http.md"));
        List<String[]> rows = page.lines()
                .map(line -> line.split("[|]"))
                .filter(row -> row.length == 5)
                .toList();
        int compared = 0;
        for (FailureCode code : FailureCode.values()) {
            String name = "`" + code + "`";
            assertTrue(page.contains(name), () -> name + " is not on the page");
            for (String[] row : rows) {
                if (row[1].contains(name)) {
                    assertEquals(ErrorAnswers.status(code), Integer.parseInt(row[2].strip()), name);
                    String retryable = code.retryable() ? "yes" : "no";
                    assertTrue(List.of(retryable, "as it says").contains(row[3].strip()), name);
                    compared++;
                }
            }
        }
        assertEquals(FailureCode.values().length - 5, compared, "all but the log's own are in the table");
    }

    private static HttpResponse<String> ask(RunningEdge edge, String method, String path, String body) {
        var request = edge.to(path);
        if (!body.isEmpty()) {
            request.header("content-type", "application/json");
        }
        return edge.send(
                request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build());
    }

    /** JSON is compared without its white space, in the order of its fields; events line by line, and to where they are left open. */
    private static boolean matches(String expected, String actual) {
        boolean open = expected.endsWith("…");
        boolean events = !expected.matches("(?s)[{\\[].*") || open;
        String wanted = events ? expected : compact(expected);
        String pattern = Pattern.quote(wanted)
                .replace("\"…\"", "\\E(?:\"[^\"]*\"|[0-9]+)\\Q")
                .replace("…", "\\E.*\\Q");
        return Pattern.compile(pattern, open ? Pattern.DOTALL : 0)
                .matcher(events ? actual : compact(actual))
                .matches();
    }

    private static String compact(String json) {
        return Json.encode(Json.decodeValue(json));
    }

    private static Path document(String name) {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(name))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new AssertionError(name + " is not above " + Path.of("").toAbsolutePath());
            }
        }
        return folder.resolve(name);
    }
}
