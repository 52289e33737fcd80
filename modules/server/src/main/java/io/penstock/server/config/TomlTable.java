package io.penstock.server.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the keys of one table of a TOML file; every error names the key. */
final class TomlTable {

    private final Path file;
    private final String prefix;
    private final ObjectNode node;

    private TomlTable(Path file, String prefix, ObjectNode node) {
        this.file = file;
        this.prefix = prefix;
        this.node = node;
    }

    static TomlTable top(Path file, ObjectNode node) {
        return new TomlTable(file, "", node);
    }

    /** Fails if another key is there. */
    TomlTable onlyWith(String... known) {
        return onlyWith(List.of(known)::contains, String.join(", ", known));
    }

    TomlTable onlyWith(Predicate<String> isKnown, String known) {
        for (String key : keys()) {
            if (!isKnown.test(key)) {
                throw broken(key, "is unknown here; known are " + known);
            }
        }
        return this;
    }

    List<String> keys() {
        var keys = new ArrayList<String>();
        node.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    boolean has(String key) {
        return node.has(key);
    }

    /** The table of this key; an empty one if the key is missing. */
    TomlTable table(String key) {
        JsonNode value = node.get(key);
        if (value == null) {
            return new TomlTable(file, prefix + key + ".", node.objectNode());
        }
        if (!(value instanceof ObjectNode table)) {
            throw broken(key, "must be a table");
        }
        return new TomlTable(file, prefix + key + ".", table);
    }

    boolean flag(String key, boolean usual) {
        JsonNode value = node.get(key);
        if (value == null) {
            return usual;
        }
        if (!value.isBoolean()) {
            throw broken(key, "must be true or false");
        }
        return value.booleanValue();
    }

    int number(String key, int usual, int least, int most) {
        JsonNode value = node.get(key);
        if (value == null) {
            return usual;
        }
        if (!value.isIntegralNumber()
                || !value.canConvertToInt()
                || value.intValue() < least
                || value.intValue() > most) {
            throw broken(
                    key,
                    "must be a whole number from " + least + " to " + most
                            + (value.isNumber() ? ", not " + value.asText() : ""));
        }
        return value.intValue();
    }

    String text(String key) {
        JsonNode value = node.get(key);
        if (value == null) {
            throw broken(key, "is missing");
        }
        return textOf(key, value);
    }

    <E extends Enum<E>> E oneOf(String key, Class<E> type) {
        String word = text(key);
        E[] constants = type.getEnumConstants();
        for (E constant : constants) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(word)) {
                return constant;
            }
        }
        throw broken(
                key,
                "must be "
                        + Stream.of(constants)
                                .map(constant -> '"' + constant.name().toLowerCase(Locale.ROOT) + '"')
                                .collect(Collectors.joining(" or ")));
    }

    List<String> texts(String key) {
        JsonNode value = node.get(key);
        if (value == null || !value.isArray()) {
            throw broken(key, value == null ? "is missing" : "must be a list of texts, such as [\"a\", \"b\"]");
        }
        var texts = new ArrayList<String>();
        value.forEach(each -> texts.add(textOf(key, each)));
        return texts;
    }

    /** The texts of the table of this key, by their keys. */
    Map<String, String> textsByKey(String key) {
        TomlTable table = table(key);
        var texts = new LinkedHashMap<String, String>();
        table.keys().forEach(name -> texts.put(name, table.text(name)));
        return texts;
    }

    /** The value is not shown: it may be a secret. */
    private String textOf(String key, JsonNode value) {
        if (!value.isTextual()) {
            throw broken(key, value.isContainerNode() ? "must be text only" : "must be text, in quotes");
        }
        if (value.textValue().indexOf(0) >= 0) {
            throw broken(key, "has a NUL character, which no program can be given");
        }
        return value.textValue();
    }

    ConfigurationBroken broken(String key, String why) {
        return ConfigurationBroken.atKey(file, prefix + key, why);
    }
}
