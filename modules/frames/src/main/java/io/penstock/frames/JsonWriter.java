package io.penstock.frames;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Writes the members of a JSON object in memory, in the order of the calls; an absent value is null. {@link JsonFields} reads them. */
final class JsonWriter {

    private final JsonGenerator json;

    JsonWriter(JsonGenerator json) {
        this.json = json;
    }

    void text(String name, String value) {
        try {
            json.writeStringField(name, value);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    void textOrNull(String name, @Nullable String value) {
        if (value == null) {
            absent(name);
        } else {
            text(name, value);
        }
    }

    void number(String name, long value) {
        try {
            json.writeNumberField(name, value);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    void numberOrNull(String name, @Nullable Number value) {
        if (value == null) {
            absent(name);
        } else {
            number(name, value.longValue());
        }
    }

    void flag(String name, boolean value) {
        try {
            json.writeBooleanField(name, value);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    void actor(String name, Actor value) {
        text(name, value.toString());
    }

    void actorOrNull(String name, @Nullable Actor value) {
        textOrNull(name, value == null ? null : value.toString());
    }

    /** Writes an object verbatim. */
    void json(String name, JsonText value) {
        raw(name, value.text());
    }

    void node(String name, JsonNode value) {
        raw(name, value.toString());
    }

    private void raw(String name, String value) {
        try {
            json.writeFieldName(name);
            json.writeRawValue(value);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    void absent(String name) {
        try {
            json.writeNullField(name);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    /** Begins the object that contains all members up to the next {@link #end}. */
    void begin(String name) {
        try {
            json.writeObjectFieldStart(name);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    /** Begins the array that contains all objects up to the next {@link #endArray}. */
    void beginArray(String name) {
        try {
            json.writeArrayFieldStart(name);
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    void endArray() {
        try {
            json.writeEndArray();
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    /** Begins an object without a name: the outermost one, or the next of an array. */
    void begin() {
        try {
            json.writeStartObject();
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    void end() {
        try {
            json.writeEndObject();
        } catch (IOException e) {
            throw noIo(e);
        }
    }

    private static UncheckedIOException noIo(IOException e) {
        return new UncheckedIOException("no I/O happens here", e);
    }
}
