package io.penstock.frames;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The public form of a frame: one flat JSON object, the envelope first, absent optional fields as null. */
public final class FrameJson {

    /** The members that every frame has; all others belong to its type. */
    static final List<String> ENVELOPE =
            List.of("id", "stream_kind", "stream_id", "session_id", "timestamp_ms", "seq", "type");

    private FrameJson() {}

    public static String toText(Frame frame) {
        return new String(toBytes(frame), StandardCharsets.UTF_8);
    }

    public static byte[] toBytes(Frame frame) {
        // Each thread reuses its buffers for the next frame.
        BufferRecycler buffers = StrictJson.WRITING._getBufferRecycler();
        try (var bytes = new ByteArrayBuilder(buffers);
                JsonGenerator json = StrictJson.WRITING.createGenerator(bytes)) {
            write(frame, new JsonWriter(json));
            json.flush();
            return bytes.getClearAndRelease();
        } catch (IOException e) {
            throw new UncheckedIOException("no I/O happens here", e);
        } finally {
            buffers.releaseToPool();
        }
    }

    private static void write(Frame frame, JsonWriter json) {
        String streamId = frame.stream().id();
        json.begin();
        json.text("id", frame.id());
        json.text("stream_kind", frame.stream().kind().wireName());
        json.text("stream_id", streamId);
        json.text("session_id", streamId);
        json.number("timestamp_ms", frame.timestampMs());
        json.number("seq", frame.seq());
        json.text("type", frame.typeName());
        if (frame.body() instanceof TaskFrame) {
            json.text("task_id", streamId);
        }
        frame.body().writeJson(json);
        json.end();
    }

    /** Reads the output of {@link #toText}; a frame of an unknown type becomes an {@link UnknownFrame}. */
    public static Frame parse(String text) {
        JsonNode node;
        try {
            node = StrictJson.read(StrictJson.FRAMES, text);
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.MALFORMED_FRAME, "frame: " + e.getMessage(), e);
        }
        if (!(node instanceof ObjectNode object)) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    "A frame is a JSON object, not " + node.getNodeType() + ": " + JsonFields.shown(text));
        }
        return read(new JsonFields(object, "frame"));
    }

    private static Frame read(JsonFields fields) {
        try {
            var stream = new StreamId(fields.oneOf("stream_kind", StreamKind.class), fields.text("stream_id"));
            FrameType type = FrameType.ofWireName(fields.text("type"));
            FrameBody body = (type == null ? FrameType.UNKNOWN : type).readJson(fields);
            var frame = new Frame(stream, fields.number("seq"), fields.number("timestamp_ms"), body);
            // Redundant fields must agree.
            fields.agrees("id", frame.id());
            fields.agrees("session_id", stream.id());
            if (body instanceof TaskFrame) {
                fields.agrees("task_id", stream.id());
            }
            return frame;
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    fields.where() + ": " + Objects.requireNonNullElse(e.getMessage(), "wrong"),
                    e);
        }
    }
}
