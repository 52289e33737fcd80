package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.server.api.Documented;
import io.penstock.testbed.TestBed;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Values within the document's limits are accepted, and those just beyond are refused in a sentence that names them: numbers at and past
 * their limits, words, lengths, missing and unknown fields, of every operation.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(VertxExtension.class)
class DocumentedLimitsTest {

    private RunningEdge edge;

    /** Has ended, so that nothing that is tried here waits for it or does anything to it. */
    private String task = "";

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        task = edge.spawn("echo hello", "pipes");
        edge.ended(task);
    }

    @Test
    void parametersAreTakenUpToTheirLimits() {
        int tried = 0;
        for (Documented.Operation operation : Documented.operations()) {
            if (!operation.method().equals("GET") || operation.isOpen()) {
                continue;
            }
            for (JsonObject parameter : operation.parameters()) {
                JsonObject schema = Documented.resolved(parameter.getJsonObject("schema"));
                String name = parameter.getString("name");
                String in = parameter.getString("in");
                if (in.equals("path") && name.equals("id")) {
                    continue;
                }
                for (Object right : right(schema)) {
                    HttpResponse<String> answer = get(operation, name, in, String.valueOf(right));
                    assertTaken(answer, name, operation.id() + " " + right);
                    tried++;
                }
                for (Object wrong : wrong(schema)) {
                    HttpResponse<String> answer = get(operation, name, in, String.valueOf(wrong));
                    assertRefused(answer, name, operation.id() + " " + wrong);
                    tried++;
                }
            }
        }
        assertTrue(tried > 40, tried + " values were tried");
    }

    private HttpResponse<String> get(Documented.Operation operation, String name, String in, String value) {
        String path = operation
                .path()
                .replace("/artifacts/{id}", "/artifacts/" + task + ".stdout")
                .replace("{id}", task);
        if (in.equals("path")) {
            return edge.get(path.replace("{" + name + "}", value));
        }
        path = path.replace("{stream}", "stdout");
        // An endless answer would never be complete.
        String query = operation.id().equals("taskEvents") && !name.equals("until") ? "until=end" : "";
        if (operation.id().equals("taskChanges")) {
            return edge.begun(path + "?" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
        if (in.equals("header")) {
            return edge.send(edge.to(path + "?" + query).header(name, value).build());
        }
        return edge.get(path + "?" + query + "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    @Test
    void bodiesAreTakenUpToTheirLimits() {
        int tried = 0;
        for (Documented.Operation operation : Documented.operations()) {
            JsonObject body = operation.body();
            // The parameters of a tool are in the list of tools.
            if (body == null || operation.path().contains("{name}")) {
                continue;
            }
            // A webhook starts its session: one of its own, since the others must not exist, so that nothing waits for
            // them.
            String id = operation.path().startsWith("/sessions/") ? "limits" : task;
            String path = operation.path().replace("{id}", id);
            tried += tryBodies(operation.method(), path, Documented.resolved(body));
        }
        assertTrue(tried > 60, tried + " bodies were tried");
    }

    @Test
    void ofTools() {
        int tried = 0;
        for (Object each : new JsonArray(edge.get("/tools").body())) {
            var tool = (JsonObject) each;
            tried += tryBodies("POST", "/tools/" + tool.getString("name"), tool.getJsonObject("input_schema"));
        }
        assertTrue(tried > 20, tried + " bodies were tried");
    }

    private int tryBodies(String method, String path, JsonObject schema) {
        int tried = 0;
        for (Map.Entry<String, List<JsonObject>> tries : bodies(schema).entrySet()) {
            boolean right = tries.getKey().startsWith("right");
            String field = tries.getKey().substring(tries.getKey().lastIndexOf(' ') + 1);
            for (JsonObject tryIt : tries.getValue()) {
                HttpResponse<String> answer = edge.send(edge.to(path)
                        .header("content-type", "application/json")
                        .method(method, BodyPublishers.ofString(tryIt.encode()))
                        .build());
                String what = path + " " + shortened(tryIt.encode());
                if (right) {
                    assertTaken(answer, field, what);
                    if (answer.statusCode() == 201) {
                        edge.ended(new JsonObject(answer.body()).getString("task_id"));
                    }
                } else {
                    assertRefused(answer, field, what);
                }
                tried++;
            }
        }
        return tried;
    }

    /** Bodies that each try one field, under whether they are right, and which field it is. */
    private static Map<String, List<JsonObject>> bodies(JsonObject schema) {
        JsonObject usual = usual(schema);
        var bodies = new LinkedHashMap<String, List<JsonObject>>();
        bodies.put("wrong unheard_of", List.of(usual.copy().put("unheard_of", 1)));
        for (Object required : required(schema)) {
            JsonObject without = usual.copy();
            without.remove((String) required);
            bodies.put("wrong without " + required, List.of(without));
        }
        for (Map.Entry<String, Object> property : schema.getJsonObject("properties")) {
            String name = property.getKey();
            JsonObject inner = Documented.resolved((JsonObject) property.getValue());
            var right = new ArrayList<JsonObject>();
            var wrong = new ArrayList<JsonObject>();
            right(inner).forEach(value -> right.add(usual.copy().put(name, value)));
            wrong(inner).forEach(value -> wrong.add(usual.copy().put(name, value)));
            if (inner.containsKey("properties")) {
                bodies(inner)
                        .forEach((key, values) -> bodies.put(
                                key,
                                values.stream()
                                        .map(value -> usual.copy().put(name, value))
                                        .toList()));
            }
            bodies.put("right " + name, right);
            bodies.put("wrong " + name, wrong);
        }
        return bodies;
    }

    /** Only the required members, each as simple as possible. */
    private static JsonObject usual(JsonObject schema) {
        var usual = new JsonObject();
        for (Object required : required(schema)) {
            String name = (String) required;
            JsonObject inner =
                    Documented.resolved(schema.getJsonObject("properties").getJsonObject(name));
            usual.put(
                    name,
                    switch (name) {
                        case "command" -> "true";
                        case "chunk_b64" -> "d29ybGQN";
                        case "signal" -> "INT";
                        case "id" -> "nobody.stdout";
                        case "allow" -> true;
                        case "reason" -> "because";
                        case "regex", "event", "task", "prompt", "message", "resume", "description" -> "word";
                        case "url" -> "http://127.0.0.1:9/";
                        default ->
                            inner.containsKey("properties")
                                    ? usual(inner)
                                    : inner.containsKey("enum")
                                            ? inner.getJsonArray("enum").getValue(0)
                                            : inner.getLong("minimum");
                    });
        }
        return usual;
    }

    /** Where one of several is, the first of them. */
    private static JsonArray required(JsonObject schema) {
        JsonObject from =
                schema.containsKey("oneOf") ? schema.getJsonArray("oneOf").getJsonObject(0) : schema;
        return from.getJsonArray("required", new JsonArray());
    }

    private static List<Object> right(JsonObject schema) {
        var right = new ArrayList<Object>();
        if (schema.containsKey("minimum")) {
            right.add(schema.getLong("minimum"));
            right.add(schema.getLong("maximum"));
        }
        right.addAll(schema.getJsonArray("enum", new JsonArray()).getList());
        if (takesNull(schema)) {
            right.add(null);
        }
        right.removeIf(value -> value == null && !takesNull(schema));
        return right;
    }

    private static List<Object> wrong(JsonObject schema) {
        var wrong = new ArrayList<Object>();
        if (schema.containsKey("minimum")) {
            wrong.add(schema.getLong("minimum") - 1);
            wrong.add(schema.getLong("maximum") + 1);
            wrong.add("many");
        }
        if (schema.containsKey("enum")) {
            wrong.add("unheard_of");
        }
        if (schema.containsKey("pattern")) {
            wrong.add("/ /");
        }
        // Shorter ones are ids, whose sentence is about their letters.
        if (schema.containsKey("maxLength") && schema.getInteger("maxLength") >= 4096) {
            wrong.add("x".repeat(schema.getInteger("maxLength") + 1));
        }
        return wrong;
    }

    private static boolean takesNull(JsonObject schema) {
        return schema.getValue("type") instanceof JsonArray types && types.contains("null");
    }

    /** It may be refused because of the current state, but not because of its form. */
    private static void assertTaken(HttpResponse<String> answer, String name, String what) {
        if (answer.statusCode() >= 400) {
            String message =
                    new JsonObject(answer.body()).getJsonObject("error").getString("message");
            assertFalse(message.contains(name + " must"), () -> what + ": " + message);
            assertFalse(message.contains("There is no field"), () -> what + ": " + message);
        }
    }

    private static void assertRefused(HttpResponse<String> answer, String name, String what) {
        assertEquals(400, answer.statusCode(), () -> what + ": " + answer.body());
        String message = new JsonObject(answer.body()).getJsonObject("error").getString("message");
        assertTrue(message.contains(name) || message.contains("There is no tool"), () -> what + ": " + message);
    }

    private static String shortened(String text) {
        return text.length() < 200 ? text : text.substring(0, 200) + " …";
    }
}
