package io.penstock.frames;

/** A frame of a type that is not known here: kept word for word, changing nothing. */
public record UnknownFrame(String typeName, JsonText fields) implements FrameBody {

    public UnknownFrame {
        Checks.notBlank(typeName, "type");
        if (FrameType.ofWireName(typeName) != null) {
            throw new IllegalArgumentException("The type " + typeName + " is known");
        }
    }

    @Override
    public FrameType type() {
        return FrameType.UNKNOWN;
    }
}
