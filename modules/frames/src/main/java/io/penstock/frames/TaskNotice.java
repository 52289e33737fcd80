package io.penstock.frames;

/** Something that changes nothing, but that people must be able to know: a cap reached, a pipe still held. */
public record TaskNotice(String code, String message) implements TaskFrame {

    public TaskNotice {
        code = Checks.notBlank(code, "code");
        message = Checks.notBlank(message, "message");
    }

    @Override
    public FrameType type() {
        return FrameType.TASK_NOTICE;
    }
}
