package io.penstock.frames;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A task's state as JSON: for snapshots, from which a fold continues, and for the golden streams. */
public final class TaskStateJson {

    private TaskStateJson() {}

    public static String toText(TaskState state) {
        var text = new StringWriter(512);
        try (JsonGenerator json = StrictJson.WRITING.createGenerator(text)) {
            write(new JsonWriter(json), state);
        } catch (IOException e) {
            throw new UncheckedIOException("no I/O happens here", e);
        }
        return text.toString();
    }

    public static TaskState parse(String text) {
        JsonNode node;
        try {
            node = StrictJson.read(StrictJson.FRAMES, text);
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.MALFORMED_FRAME, "state: " + e.getMessage(), e);
        }
        if (!(node instanceof ObjectNode object)) {
            throw new Failure(FailureCode.MALFORMED_FRAME, "A state is a JSON object, not " + node.getNodeType());
        }
        try {
            return read(
                    new JsonFields(object, "state"), texts(object.path("agent").path("recent_tools")));
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME, "state: " + Objects.requireNonNullElse(e.getMessage(), "wrong"), e);
        }
    }

    private static void write(JsonWriter json, TaskState state) {
        json.begin();
        json.number("next_seq", state.nextSeq());
        json.text("phase", state.phase().wireName());
        ToolTaskSpawned spec = state.spec();
        if (spec == null) {
            json.absent("spec");
        } else {
            json.begin("spec");
            spec.writeJson(json);
            json.end();
        }
        RefusedSpawn refused = state.refused();
        if (refused == null) {
            json.absent("refused");
        } else {
            json.begin("refused");
            refused.writeJson(json);
            json.end();
        }
        json.begin("run");
        write(json, state.run());
        json.end();
        json.begin("output");
        for (Channel channel : Channel.values()) {
            json.number(channel.wireName() + "_total", state.output().total(channel));
            json.number(channel.wireName() + "_stored", state.output().stored(channel));
        }
        json.end();
        json.number("turns", state.turns());
        TaskTurnStarted.Kind turn = state.runningTurn();
        json.textOrNull("running_turn", turn == null ? null : turn.wireName());
        json.textOrNull("result", state.result());
        json.number("rows", state.rows());
        json.number("cols", state.cols());
        state.usage().writeJson(json);
        json.flag("cleared", state.cleared());
        json.flag("pinned", state.pinned());
        json.begin("agent");
        write(json, state.agent());
        json.end();
        json.end();
    }

    private static void write(JsonWriter json, AgentState agent) {
        json.textOrNull("session_id", agent.sessionId());
        json.flag("can_load", agent.canLoad());
        json.number("resumes", agent.resumes());
        json.number("tool_calls", agent.toolCalls());
        json.node("recent_tools", StrictJson.FRAMES.valueToTree(agent.recentTools()));
        json.textOrNull("latest", agent.latest());
        json.numberOrNull("updated_at_ms", agent.updatedAtMs());
    }

    private static void write(JsonWriter json, RunState run) {
        json.number("number", run.number());
        json.numberOrNull("started_at_ms", run.startedAtMs());
        json.numberOrNull("ended_at_ms", run.endedAtMs());
        ToolTaskCancelRequested stop = run.stop();
        if (stop == null) {
            json.absent("stop");
        } else {
            json.begin("stop");
            stop.writeJson(json);
            json.end();
        }
        json.flag("stopped", run.stopped());
        json.flag("input_closed", run.inputClosed());
        json.flag("woke", run.woke());
        json.textOrNull("question", run.question());
        Ending ending = run.ending();
        json.textOrNull("outcome", ending == null ? null : ending.outcome().wireName());
        json.numberOrNull("exit_code", ending == null ? null : ending.exitCode());
        json.numberOrNull("signal", ending == null ? null : ending.signal());
        json.textOrNull("error", run.error());
        Cause cause = run.cause();
        json.textOrNull("cause", cause == null ? null : cause.wireName());
        json.actorOrNull("actor", run.actor());
        LogEnd.writeJson(run.logs(), json);
    }

    @SuppressWarnings("NullAway") // It does not see @Nullable on a nested type of a compiled class.
    private static TaskState read(JsonFields fields, List<String> recentTools) {
        JsonFields spec = fields.inOrNull("spec");
        JsonFields refused = fields.inOrNull("refused");
        JsonFields output = fields.in("output");
        JsonFields agent = fields.in("agent");
        return new TaskState(
                fields.number("next_seq"),
                spec == null ? null : ToolTaskSpawned.readJson(spec),
                refused == null ? null : RefusedSpawn.readJson(refused),
                fields.oneOf("phase", Phase.class),
                readRun(fields.in("run")),
                new OutputTotals(
                        output.number("stdout_total"),
                        output.number("stdout_stored"),
                        output.number("stderr_total"),
                        output.number("stderr_stored"),
                        output.number("pty_total"),
                        output.number("pty_stored")),
                new Conversation(
                        fields.smallNumber("turns"),
                        fields.oneOfOrNull("running_turn", TaskTurnStarted.Kind.class),
                        fields.textOrNull("result"),
                        TaskUsage.readJson(fields),
                        new AgentState(
                                agent.textOrNull("session_id"),
                                agent.flag("can_load"),
                                agent.smallNumber("resumes"),
                                agent.smallNumber("tool_calls"),
                                recentTools,
                                agent.textOrNull("latest"),
                                agent.numberOrNull("updated_at_ms"))),
                fields.smallNumber("rows"),
                fields.smallNumber("cols"),
                new TaskMarks(fields.flag("cleared"), fields.flag("pinned")));
    }

    private static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        for (JsonNode element : array) {
            if (!element.isTextual()) {
                throw new Failure(FailureCode.MALFORMED_FRAME, "state.agent.recent_tools has the element " + element);
            }
            texts.add(element.textValue());
        }
        return texts;
    }

    private static RunState readRun(JsonFields fields) {
        JsonFields stop = fields.inOrNull("stop");
        return new RunState(
                fields.smallNumber("number"),
                fields.numberOrNull("started_at_ms"),
                fields.numberOrNull("ended_at_ms"),
                stop == null ? null : ToolTaskCancelRequested.readJson(stop),
                fields.flag("stopped"),
                fields.flag("input_closed"),
                fields.flag("woke"),
                fields.textOrNull("question"),
                Ending.readJson(fields),
                fields.textOrNull("error"),
                fields.oneOfOrNull("cause", Cause.class),
                fields.actorOrNull("actor"),
                LogEnd.readJson(fields));
    }
}
