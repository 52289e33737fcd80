package io.penstock.frames;

/** One immutable event in a stream, the only source of truth: what happened, when, and as which event of its stream. */
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
                    "A " + body.type().wireName() + " frame does not belong into the stream of " + stream);
        }
    }

    /** The frame's id: made of what identifies it anyway, so that it costs no storage and is the same at every replay. */
    public String id() {
        return stream.id() + "/" + seq;
    }

    /** The name of its type as consumers see it, also if it is not known here. */
    public String typeName() {
        return body instanceof UnknownFrame unknown
                ? unknown.typeName()
                : body.type().wireName();
    }
}
