package io.penstock.frames;

/** A fact for people that does not change the state: a cap was reached, a pipe is still open. */
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
