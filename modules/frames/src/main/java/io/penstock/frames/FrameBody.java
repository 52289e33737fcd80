package io.penstock.frames;

/** What a frame tells, beside its place in its stream. */
public sealed interface FrameBody permits TaskFrame, SessionFrame, UnknownFrame {

    FrameType type();
}
