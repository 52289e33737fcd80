package io.penstock.bench.fuzz;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations of a server's OpenAPI document, with all references resolved. */
record Operations(List<Operation> all) {

    private static final Set<String> METHODS = Set.of("get", "post", "head", "put", "delete", "patch");

    /**
     * @param parameters those of the path first
     * @param body the schema of a JSON body, or null
     */
    record Operation(
            String id,
            String method,
            String path,
            List<JsonObject> parameters,
            @Nullable JsonObject body,
            List<JsonObject> examples,
            Set<String> statuses) {}

    static Operations read(JsonObject document) {
        var all = new ArrayList<Operation>();
        for (Map.Entry<String, Object> path : document.getJsonObject("paths")) {
            var item = (JsonObject) path.getValue();
            for (String method : item.fieldNames()) {
                if (METHODS.contains(method)) {
                    all.add(operation(document, path.getKey(), method, item));
                }
            }
        }
        return new Operations(List.copyOf(all));
    }

    private static Operation operation(JsonObject document, String path, String method, JsonObject item) {
        JsonObject operation = item.getJsonObject(method);
        var parameters = new ArrayList<JsonObject>();
        for (JsonObject from : List.of(item, operation)) {
            for (Object parameter : from.getJsonArray("parameters", new JsonArray())) {
                parameters.add(resolved(document, (JsonObject) parameter));
            }
        }
        JsonObject json = operation
                .getJsonObject("requestBody", new JsonObject())
                .getJsonObject("content", new JsonObject())
                .getJsonObject("application/json");
        var examples = new ArrayList<JsonObject>();
        if (json != null) {
            for (Map.Entry<String, Object> example : json.getJsonObject("examples", new JsonObject())) {
                examples.add(((JsonObject) example.getValue()).getJsonObject("value"));
            }
            if (json.getValue("example") instanceof JsonObject example) {
                examples.add(example);
            }
        }
        return new Operation(
                operation.getString("operationId"),
                method.toUpperCase(Locale.ROOT),
                path,
                List.copyOf(parameters),
                json == null ? null : resolved(document, json.getJsonObject("schema")),
                List.copyOf(examples),
                Set.copyOf(operation.getJsonObject("responses").fieldNames()));
    }

    /** A copy without references; the document's schemas are not recursive. */
    private static JsonObject resolved(JsonObject document, JsonObject json) {
        String reference = json.getString("$ref");
        if (reference != null) {
            JsonObject found = document;
            for (String part : reference.substring(2).split("/")) {
                found = found.getJsonObject(part);
            }
            return resolved(document, found);
        }
        var copy = new JsonObject();
        for (Map.Entry<String, Object> member : json) {
            copy.put(member.getKey(), resolvedValue(document, member.getValue()));
        }
        return copy;
    }

    private static Object resolvedValue(JsonObject document, Object value) {
        if (value instanceof JsonObject object) {
            return resolved(document, object);
        }
        if (value instanceof JsonArray array) {
            var copy = new JsonArray();
            array.forEach(each -> copy.add(each == null ? null : resolvedValue(document, each)));
            return copy;
        }
        return value;
    }
}
