package io.penstock.server.tools;

import io.penstock.server.request.RequestFields;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.Stream;

/** The fields of an object. The JSON schema and the check of a request come from this one list, so they cannot differ. */
public record Fields(List<Field> list) {

    public Fields {
        list = List.copyOf(list);
    }

    public static Fields of(Field... fields) {
        return new Fields(List.of(fields));
    }

    Fields with(Field another) {
        return new Fields(Stream.concat(list.stream(), Stream.of(another)).toList());
    }

    /** The values that were given, and the defaults of the others; an unknown, missing or wrong one is a failure that names it. */
    JsonObject read(RequestFields given) {
        given.only(list.stream().map(Field::name).toList(), "");
        var values = new JsonObject();
        for (Field field : list) {
            Object value = field.type().read(given, field.name());
            if (value == null && field.required()) {
                throw RequestFields.wrong(given.prefix() + field.name() + " must be "
                        + field.type().expected() + ", but is missing");
            }
            Object present = value == null ? field.usual() : value;
            if (present != null) {
                values.put(field.name(), present);
            }
        }
        return values;
    }

    /** The schema of a request with these fields. */
    JsonObject ofParameters() {
        var properties = new JsonObject();
        var required = new JsonArray();
        for (Field field : list) {
            JsonObject schema = field.type().schema().put("description", field.description());
            if (field.usual() != null) {
                schema.put("default", field.usual());
            }
            properties.put(field.name(), schema);
            if (field.required()) {
                required.add(field.name());
            }
        }
        return new JsonObject()
                .put("type", "object")
                .put("properties", properties)
                .put("required", required)
                .put("additionalProperties", false);
    }

    /** The schema of an answer with these fields: it has all of them, and those that are not required may be null. */
    public JsonObject ofResult() {
        var properties = new JsonObject();
        var names = new JsonArray();
        for (Field field : list) {
            JsonObject schema = field.type().schema().put("description", field.description());
            if (!field.required()) {
                schema.put("type", new JsonArray().add(schema.getString("type")).add("null"));
            }
            properties.put(field.name(), schema);
            names.add(field.name());
        }
        return new JsonObject()
                .put("type", "object")
                .put("properties", properties)
                .put("required", names);
    }
}
