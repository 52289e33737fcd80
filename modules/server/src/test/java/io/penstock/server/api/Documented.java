package io.penstock.server.api;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.Validator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The document as a test reads it: without the code that creates routes from it. */
public final class Documented {

    public static final JsonObject DOCUMENT =
            new JsonObject(Buffer.buffer(ApiDocument.read().text()));

    private static final Set<String> METHODS = Set.of("get", "post", "head", "put", "delete", "patch");
    private static final JsonObject SCHEMAS =
            DOCUMENT.getJsonObject("components").getJsonObject("schemas");

    /** One of its operations, with the parameters of its path. */
    public record Operation(String method, String path, JsonObject json, List<JsonObject> parameters) {

        public String id() {
            return json.getString("operationId");
        }

        public boolean isOpen() {
            return json.containsKey("security") && json.getJsonArray("security").isEmpty();
        }

        /** Its description of an answer with this status, or null if there is none. */
        public @Nullable JsonObject answer(int status) {
            JsonObject answer = json.getJsonObject("responses").getJsonObject(String.valueOf(status));
            return answer == null ? null : resolved(answer);
        }

        /** The schema of its body, if it has one. */
        public @Nullable JsonObject body() {
            JsonObject body = json.getJsonObject("requestBody");
            return body == null
                    ? null
                    : body.getJsonObject("content")
                            .getJsonObject("application/json")
                            .getJsonObject("schema");
        }
    }

    private Documented() {}

    public static List<Operation> operations() {
        var operations = new ArrayList<Operation>();
        for (Map.Entry<String, Object> path : DOCUMENT.getJsonObject("paths")) {
            var json = (JsonObject) path.getValue();
            for (String method : json.fieldNames()) {
                if (METHODS.contains(method)) {
                    JsonObject operation = json.getJsonObject(method);
                    var parameters = new ArrayList<JsonObject>();
                    for (JsonObject from : List.of(json, operation)) {
                        from.getJsonArray("parameters", new JsonArray())
                                .forEach(parameter -> parameters.add(resolved((JsonObject) parameter)));
                    }
                    operations.add(new Operation(method.toUpperCase(), path.getKey(), operation, parameters));
                }
            }
        }
        return operations;
    }

    /** The target of a reference, or the object itself. */
    public static JsonObject resolved(JsonObject json) {
        String reference = json.getString("$ref");
        if (reference == null) {
            return json;
        }
        JsonObject found = DOCUMENT;
        for (String part : reference.substring(2).split("/")) {
            found = found.getJsonObject(part);
        }
        return resolved(found);
    }

    /** Why a value violates a schema of the document, or null if it does not. */
    public static @Nullable String complaint(JsonObject schema, Object value) {
        JsonObject whole = new JsonObject(
                schema.copy().put("$defs", SCHEMAS).encode().replace("#/components/schemas/", "#/$defs/"));
        OutputUnit result = Validator.create(
                        JsonSchema.of(whole),
                        new JsonSchemaOptions()
                                .setDraft(Draft.DRAFT202012)
                                .setBaseUri("app://document")
                                .setOutputFormat(OutputFormat.Basic))
                .validate(value);
        return Boolean.TRUE.equals(result.getValid()) ? null : String.valueOf(result.toJson());
    }
}
