package io.penstock.frames;

/** Converts bodies to their stored form and back. */
final class Forms {

    private Forms() {}

    static byte[] stored(FrameBody body) {
        var out = new ByteWriter();
        StoredForm.write(body, out);
        return out.toByteArray();
    }

    static FrameBody storedAndRead(FrameBody body) {
        return StoredForm.read(body.type(), new ByteReader(stored(body)));
    }

    /** The recorded part of a body: of a delta, the position of its bytes, but not its text. */
    static FrameBody recorded(FrameBody body) {
        return body instanceof ToolTaskOutputDelta delta ? delta.byReference() : body;
    }
}
