package io.penstock.frames;

/** One immutable event in a stream, the only source of truth, with its time and its number in the stream. */
public record Frame(StreamId stream, long seq, long timestampMs, FrameBody body) {

    public Frame {
        Checks.notNegative(seq, "seq");
        Checks.notNegative(timestampMs, "timestamp_ms");
        boolean ofSession = switch (body) {
            case SessionFrame _ -> true;
            case TaskFrame _ -> false;
            case UnknownFrame _ -> stream.kind() == StreamKind.SESSION;
        };
        if (ofSession != (stream.kind() == StreamKind.SESSION)) {
            throw new Failure(
                    FailureCode.ILLEGAL_FRAME,
                    "A " + body.type().wireName() + " frame does not belong in the stream of " + stream);
        }
    }

    /** The frame's id, derived from stream and seq, so that it needs no storage and is the same in every replay. */
    public String id() {
        return stream.id() + "/" + seq;
    }

    /** The name of its type as consumers see it, even if the type is unknown here. */
    public String typeName() {
        return body instanceof UnknownFrame unknown
                ? unknown.typeName()
                : body.type().wireName();
    }
}
