package io.penstock.frames;

import java.util.Objects;

/**
 * The compact form of a body in the journal and in Postgres, next to the number of its type. It may only be extended at its end: the
 * code of an enum constant is its ordinal, constants and fields are appended, and a reader checks {@link ByteReader#hasMore} before it
 * reads a field that older records lack.
 */
public final class StoredForm {

    private StoredForm() {}

    /** Appends the body's stored form. */
    public static void write(FrameBody body, ByteWriter out) {
        body.writeStored(out);
    }

    /** Reads the stored form of a body of this type; invalid bytes cause a {@code MALFORMED_FRAME} failure. */
    public static FrameBody read(FrameType type, ByteReader in) {
        try {
            return type.readStored(in);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    "A stored " + (type == FrameType.UNKNOWN ? "frame of a type unknown here" : type.wireName())
                            + " is invalid: "
                            + Objects.requireNonNullElse(e.getMessage(), ""),
                    e);
        }
    }
}
