package io.penstock.frames;

/** The content of a frame, without its position in its stream. */
public sealed interface FrameBody permits TaskFrame, SessionFrame, UnknownFrame {

    FrameType type();
}
