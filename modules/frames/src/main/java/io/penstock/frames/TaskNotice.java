package io.penstock.frames;

/** A fact for people that does not change the state: a cap was reached, a pipe is still open. */
public record TaskNotice(String code, String message) implements TaskFrame {

    /** The code of the only notice that may come after the end of a run: its result was retrieved. */
    public static final String RESULT_RETRIEVED = "result_retrieved";

    /** The code of the notice that says why an agent's turn failed; the turn's end follows. */
    public static final String TURN_FAILED = "agent_turn_failed";

    /** The code of the notice that the conversation which a run was to continue does not exist any more; the run's end follows. */
    public static final String SESSION_MISSING = "agent_session_missing";

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
