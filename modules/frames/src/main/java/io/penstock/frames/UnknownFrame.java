package io.penstock.frames;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** A frame of an unknown type: stored verbatim, without an effect on the state. */
public record UnknownFrame(String typeName, JsonText fields) implements FrameBody {

    public UnknownFrame {
        Checks.notBlank(typeName, "type");
        typeName = Checks.text(typeName, "type", Limits.TYPE_NAME_CHARS);
        if (FrameType.ofWireName(typeName) != null) {
            throw new IllegalArgumentException("The type " + typeName + " is known");
        }
        // The rest of the body's limit is for the name of the type.
        Checks.utf8(fields.text(), "a frame of type " + typeName, Limits.FRAME_BODY_BYTES - 1024);
        if (!fields.equals(JsonText.EMPTY)) {
            JsonNode members = fields.toNode();
            for (String name : FrameJson.ENVELOPE) {
                if (members.has(name)) {
                    throw new IllegalArgumentException("the field " + name + " belongs to a frame's envelope");
                }
            }
        }
    }

    @Override
    public FrameType type() {
        return FrameType.UNKNOWN;
    }

    @Override
    public void writeJson(JsonWriter json) {
        for (Map.Entry<String, JsonNode> field : fields.toNode().properties()) {
            json.node(field.getKey(), field.getValue());
        }
    }

    static UnknownFrame readJson(JsonFields fields) {
        return new UnknownFrame(fields.text("type"), fields.without(FrameJson.ENVELOPE));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(typeName);
        out.writeText(fields.text());
    }

    /** A frame whose type its writer did not know; if this reader knows the type, the frame is of that type. */
    static FrameBody readStored(ByteReader in) {
        String typeName = in.readText();
        var fields = new JsonText(in.readText());
        FrameType type = FrameType.ofWireName(typeName);
        if (type == null) {
            return new UnknownFrame(typeName, fields);
        }
        return type.readJson(new JsonFields((ObjectNode) fields.toNode(), "frame"));
    }
}
