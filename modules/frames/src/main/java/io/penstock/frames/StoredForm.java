package io.penstock.frames;

import java.util.Objects;

/**
 * The compact form in which a body is kept, beside its type's number. It may only be extended at its end: the code of an
 * enum constant is its ordinal, constants are appended, fields are appended, and a reader asks {@link ByteReader#hasMore}
 * before it reads a field that older records lack.
 */
public final class StoredForm {

    private StoredForm() {}

    /** Appends the body's stored form. */
    public static void write(FrameBody body, ByteWriter out) {
        body.writeStored(out);
    }

    public static FrameBody read(FrameType type, ByteReader in) {
        try {
            return type.readStored(in);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    "A stored " + (type == FrameType.UNKNOWN ? "frame of a type unknown here" : type.wireName())
                            + " makes no sense: "
                            + Objects.requireNonNullElse(e.getMessage(), ""),
                    e);
        }
    }
}
