package io.penstock.server.tools;

import org.jspecify.annotations.Nullable;

/**
 * One value of a tool's parameters or of its result.
 *
 * @param required a parameter that must be given, or a value of the result that is never null
 * @param usual the value of a parameter that is not given
 * @param description for a model
 */
public record Field(
        String name,
        FieldType type,
        boolean required,
        @Nullable Object usual,
        String description) {

    public static Field required(String name, FieldType type, String description) {
        return new Field(name, type, true, null, description);
    }

    public static Field optional(String name, FieldType type, String description) {
        return new Field(name, type, false, null, description);
    }

    public static Field withDefault(String name, FieldType type, Object usual, String description) {
        return new Field(name, type, false, usual, description);
    }
}
