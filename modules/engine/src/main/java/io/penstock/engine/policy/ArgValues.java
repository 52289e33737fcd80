package io.penstock.engine.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import io.penstock.frames.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A tool's arguments as conditions see them. A null field counts as absent. */
public final class ArgValues {

    private ArgValues() {}

    public static Map<String, Object> of(JsonText args) {
        return fields(args.toNode());
    }

    private static Map<String, Object> fields(JsonNode object) {
        var fields = new LinkedHashMap<String, Object>();
        object.properties().forEach(field -> {
            if (!field.getValue().isNull()) {
                fields.put(field.getKey(), value(field.getValue()));
            }
        });
        return Map.copyOf(fields);
    }

    private static Object value(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO -> fields(node);
            case ARRAY -> {
                List<Object> values = new ArrayList<>();
                node.forEach(element -> values.add(value(element)));
                yield List.copyOf(values);
            }
            case STRING, BINARY -> node.asText();
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> node.isIntegralNumber() && node.canConvertToLong() ? node.longValue() : node.doubleValue();
            case NULL, MISSING -> NullValue.NULL_VALUE;
        };
    }
}
