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

    @Override
    public void writeJson(JsonWriter json) {
        json.text("code", code);
        json.text("message", message);
    }

    static TaskNotice readJson(JsonFields fields) {
        return new TaskNotice(fields.text("code"), fields.text("message"));
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeText(code);
        out.writeText(message);
    }

    static TaskNotice readStored(ByteReader in) {
        return new TaskNotice(in.readText(), in.readText());
    }
}
