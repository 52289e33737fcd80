package io.penstock.server.tools.agents;

import io.penstock.frames.Limits;
import io.penstock.server.tools.Field;
import io.penstock.server.tools.FieldType.Text;
import io.penstock.server.tools.FieldType.WholeNumber;
import io.penstock.server.tools.Fields;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The JSON schemas of results that have lists and objects in them, which {@link Fields} alone does not describe. */
public final class ResultSchema {

    private static final Fields ARTIFACT = Fields.of(
            Field.required(
                    "type",
                    new Text(Limits.LABEL_CHARS),
                    "log: an output; result: a text in full; file: a file that the agent wrote."),
            Field.optional("id", new Text(Limits.ARTIFACT_ID_CHARS), "For artifact_fetch; of a log or result."),
            Field.optional("bytes", new WholeNumber(0, Limits.WHOLE_NUMBER), "Its size; of a log or result."),
            Field.optional("path", new Text(Limits.TEXT_CHARS), "Of a file."));

    private final JsonObject schema;

    public ResultSchema(Fields fields) {
        schema = fields.ofResult();
    }

    /** Adds a list of objects with these fields. */
    public ResultSchema list(String name, Fields fields, String description) {
        return add(name, array(fields.ofResult()), description);
    }

    /** Adds a list of texts. */
    public ResultSchema texts(String name, String description) {
        return add(name, array(new JsonObject().put("type", "string")), description);
    }

    public ResultSchema artifacts() {
        JsonObject entry = ARTIFACT.ofResult().put("required", new JsonArray().add("type"));
        return add("artifacts", array(entry), "What it has left behind.");
    }

    public ResultSchema usage() {
        var whole = new JsonObject().put("type", "integer");
        JsonObject usage = new JsonObject()
                .put("type", new JsonArray().add("object").add("null"))
                .put(
                        "properties",
                        new JsonObject()
                                .put("input_tokens", whole)
                                .put("output_tokens", whole)
                                .put("cost_usd", new JsonObject().put("type", "number")));
        return add("usage", usage, "By the agent's own count, in all turns; null for a command.");
    }

    private ResultSchema add(String name, JsonObject property, String description) {
        schema.getJsonObject("properties").put(name, property.put("description", description));
        schema.getJsonArray("required").add(name);
        return this;
    }

    private static JsonObject array(JsonObject items) {
        return new JsonObject().put("type", "array").put("items", items);
    }

    public JsonObject json() {
        return schema;
    }
}
