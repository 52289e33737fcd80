package io.penstock.frames;

/** Bodies through their stored form and back. */
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

    /** What is recorded of a body: of a delta, where its bytes are, but not its text. */
    static FrameBody recorded(FrameBody body) {
        return body instanceof ToolTaskOutputDelta delta
                ? new ToolTaskOutputDelta(delta.channel(), delta.offset(), delta.bytes(), delta.bytesStored())
                : body;
    }
}
