package io.penstock.frames;

/**
 * The content of a frame, without its position in its stream. Each type writes and reads its own fields, in two forms: the public JSON
 * ({@link FrameJson}) and the compact stored form ({@link StoredForm}). {@link FrameType} has the readers.
 */
public sealed interface FrameBody permits TaskFrame, SessionFrame, UnknownFrame {

    FrameType type();

    /** Writes the members that follow the envelope, in the contract's order. */
    void writeJson(JsonWriter json);

    /** Appends the stored form. */
    void writeStored(ByteWriter out);
}
