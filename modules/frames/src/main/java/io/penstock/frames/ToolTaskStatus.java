package io.penstock.frames;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A task entered another phase. The last frame of a run has phase {@code ended}.
 *
 * @param ending present if and only if the phase is {@code ended}
 * @param logs the final sizes of the outputs; at the end only
 * @param error the sentence for people about a failure
 * @param question the question of policy in phase {@code awaiting_input}; null if the program itself waits
 * @param refused the request of a refused spawn; null in all other frames, and in those recorded before this field existed
 */
public record ToolTaskStatus(
        Phase phase,
        @Nullable Ending ending,
        @Nullable Long startedAtMs,
        @Nullable Long endedAtMs,
        List<LogEnd> logs,
        @Nullable String error,
        @Nullable String question,
        Cause cause,
        Actor actor,
        @Nullable RefusedSpawn refused)
        implements TaskFrame {

    /** Stored after the fields of the first version: whether there is a refused spawn, and whether with its rule. */
    private static final int NOT_REFUSED = 0;

    private static final int REFUSED = 1;
    private static final int REFUSED_BY_RULE = 2;

    public ToolTaskStatus {
        logs = List.copyOf(logs);
        Checks.notNegative(startedAtMs, "started_at_ms");
        Checks.notNegative(endedAtMs, "ended_at_ms");
        error = Checks.textOrNull(error, "error");
        question = Checks.textOrNull(question, "question");
        if (phase == Phase.ABSENT) {
            throw new IllegalArgumentException("a status never has phase absent");
        }
        if ((phase == Phase.ENDED) != (ending != null)) {
            throw new IllegalArgumentException("A status has an outcome exactly if its phase is ended: phase "
                    + phase.wireName() + ", ending " + ending);
        }
        if ((phase == Phase.ENDED) != (endedAtMs != null)) {
            throw new IllegalArgumentException("A status has ended_at_ms exactly if its phase is ended: phase "
                    + phase.wireName() + ", ended_at_ms " + endedAtMs);
        }
        if (phase != Phase.ENDED && !logs.isEmpty()) {
            throw new IllegalArgumentException("logs are recorded at the end, not in phase " + phase.wireName());
        }
        for (int i = 1; i < logs.size(); i++) {
            Channel one = logs.get(i - 1).log().channel();
            Channel next = logs.get(i).log().channel();
            if (next.compareTo(one) <= 0) {
                throw new IllegalArgumentException(
                        "logs are recorded once per channel, in the order stdout, stderr, pty, not " + next.wireName()
                                + " after " + one.wireName());
            }
        }
        if (question != null && phase != Phase.AWAITING_INPUT) {
            throw new IllegalArgumentException(
                    "A question is asked in phase awaiting_input, not in phase " + phase.wireName());
        }
        if (phase == Phase.RUNNING && startedAtMs == null) {
            throw new IllegalArgumentException("a status with phase running needs started_at_ms");
        }
        if (ending != null && ending.outcome() == Outcome.FAILED && (error == null || error.isBlank())) {
            throw new IllegalArgumentException("a failed task needs an error");
        }
        if (refused != null && (ending == null || ending.outcome() != Outcome.FAILED)) {
            throw new IllegalArgumentException("A spawn that was refused has the outcome failed, not " + ending);
        }
        if (ending != null && ending.outcome() == Outcome.LOST && (error == null || !error.startsWith("lost: "))) {
            throw new IllegalArgumentException("the error of a lost task says what is known after \"lost: \"");
        }
    }

    /** For an accepted task. */
    public ToolTaskStatus(
            Phase phase,
            @Nullable Ending ending,
            @Nullable Long startedAtMs,
            @Nullable Long endedAtMs,
            List<LogEnd> logs,
            @Nullable String error,
            @Nullable String question,
            Cause cause,
            Actor actor) {
        this(phase, ending, startedAtMs, endedAtMs, logs, error, question, cause, actor, null);
    }

    /** The only frame of a refused spawn. */
    public static ToolTaskStatus refusal(RefusedSpawn refused, long atMs, String error, Cause cause, Actor actor) {
        return new ToolTaskStatus(
                Phase.ENDED, Ending.failed(), null, atMs, List.of(), error, null, cause, actor, refused);
    }

    /** The task waits for its turn. */
    public static ToolTaskStatus queued(Cause cause, Actor actor) {
        return new ToolTaskStatus(Phase.QUEUED, null, null, null, List.of(), null, null, cause, actor);
    }

    /** The task's program is being started. */
    public static ToolTaskStatus starting(Cause cause, Actor actor) {
        return new ToolTaskStatus(Phase.STARTING, null, null, null, List.of(), null, null, cause, actor);
    }

    public static ToolTaskStatus running(long startedAtMs) {
        return new ToolTaskStatus(
                Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, Cause.REQUEST, Actor.SERVER);
    }

    public static ToolTaskStatus awaiting(String question, Cause cause, Actor actor) {
        return new ToolTaskStatus(Phase.AWAITING_INPUT, null, null, null, List.of(), null, question, cause, actor);
    }

    /** The program waits for typed input. */
    public static ToolTaskStatus awaitingInput(long startedAtMs) {
        return new ToolTaskStatus(
                Phase.AWAITING_INPUT, null, startedAtMs, null, List.of(), null, null, Cause.PROGRAM, Actor.SERVER);
    }

    /** The program no longer waits for input. */
    public static ToolTaskStatus runningAgain(long startedAtMs, Cause cause) {
        return new ToolTaskStatus(Phase.RUNNING, null, startedAtMs, null, List.of(), null, null, cause, Actor.SERVER);
    }

    @Override
    public FrameType type() {
        return FrameType.TOOL_TASK_STATUS;
    }

    @Override
    public void writeJson(JsonWriter json) {
        json.text("status", word());
        json.numberOrNull("exit_code", ending == null ? null : ending.exitCode());
        json.numberOrNull("started_at_ms", startedAtMs);
        json.numberOrNull("ended_at_ms", endedAtMs);
        LogEnd.writeJson(logs, json);
        json.textOrNull("error", error);
        json.text("phase", phase.wireName());
        json.textOrNull("outcome", ending == null ? null : ending.outcome().wireName());
        json.numberOrNull("signal", ending == null ? null : ending.signal());
        json.textOrNull("question", question);
        json.text("cause", cause.wireName());
        json.actor("actor", actor);
        if (refused == null) {
            json.absent("refused");
        } else {
            json.begin("refused");
            refused.writeJson(json);
            json.end();
        }
    }

    static ToolTaskStatus readJson(JsonFields fields) {
        Phase phase = fields.oneOf("phase", Phase.class);
        JsonFields refused = fields.inOrNull("refused");
        var status = new ToolTaskStatus(
                phase,
                Ending.readJson(fields),
                fields.numberOrNull("started_at_ms"),
                fields.numberOrNull("ended_at_ms"),
                LogEnd.readJson(fields),
                fields.textOrNull("error"),
                fields.textOrNull("question"),
                fields.oneOf("cause", Cause.class),
                fields.actor("actor"),
                refused == null ? null : RefusedSpawn.readJson(refused));
        fields.agrees("status", status.word());
        return status;
    }

    /** The contract's word for this phase and outcome, which the frame says in addition to them. */
    private String word() {
        return Objects.requireNonNull(
                ContractStatus.toolTasks(phase, ending == null ? null : ending.outcome()), "a status is never absent");
    }

    @Override
    public void writeStored(ByteWriter out) {
        out.writeConstant(phase);
        out.writeConstantOrNull(ending == null ? null : ending.outcome());
        out.writeNumberOrNull(ending == null ? null : ending.exitCode());
        out.writeNumberOrNull(ending == null ? null : ending.signal());
        out.writeNumberOrNull(startedAtMs);
        out.writeNumberOrNull(endedAtMs);
        LogEnd.writeStored(logs, out);
        out.writeTextOrNull(error);
        out.writeTextOrNull(question);
        out.writeConstant(cause);
        actor.writeStored(out);
        writeAddedFields(out);
    }

    static ToolTaskStatus readStored(ByteReader in) {
        Phase phase = in.readConstant(Phase.class);
        Outcome outcome = in.readConstantOrNull(Outcome.class);
        Integer exitCode = in.readSmallNumberOrNull();
        Integer signal = in.readSmallNumberOrNull();
        Ending ending = outcome == null ? null : new Ending(outcome, exitCode, signal);
        Long startedAtMs = in.readNumberOrNull();
        Long endedAtMs = in.readNumberOrNull();
        List<LogEnd> logs = LogEnd.readStored(in);
        String error = in.readTextOrNull();
        String question = in.readTextOrNull();
        Cause cause = in.readConstant(Cause.class);
        Actor actor = Actor.readStored(in);
        int refusal = in.hasMore() ? in.readByte() : NOT_REFUSED;
        RefusedSpawn refused = refusal == REFUSED || refusal == REFUSED_BY_RULE
                ? RefusedSpawn.readStored(in, refusal == REFUSED_BY_RULE)
                : null;
        return new ToolTaskStatus(
                phase,
                ending,
                startedAtMs,
                endedAtMs,
                in.hasMore() ? LogEnd.readDigests(logs, in) : logs,
                error,
                question,
                cause,
                actor,
                refused);
    }

    /** Fields added since the first version, absent at the end rather than empty, so that older records keep their bytes. */
    private void writeAddedFields(ByteWriter out) {
        boolean digests = logs.stream().anyMatch(end -> end.digest() != null);
        if (refused != null || digests) {
            out.writeByte(refused == null ? NOT_REFUSED : refused.rule() == null ? REFUSED : REFUSED_BY_RULE);
        }
        if (refused != null) {
            refused.writeStored(out);
        }
        if (digests) {
            logs.forEach(end -> out.writeTextOrNull(end.digest()));
        }
    }
}
