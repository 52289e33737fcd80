package io.penstock.frames;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task's state as JSON: for snapshots, from which a fold continues, and for the golden streams. */
public final class TaskStateJson {

    private TaskStateJson() {}

    public static String toText(TaskState state) {
        var text = new StringWriter(512);
        try (JsonGenerator json = StrictJson.WRITING.createGenerator(text)) {
            write(json, state);
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
            return read(new JsonFields(object, "state"));
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME, "state: " + Objects.requireNonNullElse(e.getMessage(), "wrong"), e);
        }
    }

    private static void write(JsonGenerator json, TaskState state) throws IOException {
        json.writeStartObject();
        json.writeNumberField("next_seq", state.nextSeq());
        json.writeStringField("phase", state.phase().wireName());
        ToolTaskSpawned spec = state.spec();
        json.writeFieldName("spec");
        if (spec == null) {
            json.writeNull();
        } else {
            json.writeStartObject();
            FrameJsonWriter.spawned(json, spec);
            json.writeEndObject();
        }
        FrameJsonWriter.refused(json, state.refused());
        json.writeObjectFieldStart("run");
        write(json, state.run());
        json.writeEndObject();
        json.writeObjectFieldStart("output");
        for (Channel channel : Channel.values()) {
            json.writeNumberField(channel.wireName() + "_total", state.output().total(channel));
            json.writeNumberField(channel.wireName() + "_stored", state.output().stored(channel));
        }
        json.writeEndObject();
        json.writeNumberField("turns", state.turns());
        TaskTurnStarted.Kind turn = state.runningTurn();
        FrameJsonWriter.text(json, "running_turn", turn == null ? null : turn.wireName());
        FrameJsonWriter.text(json, "result", state.result());
        json.writeNumberField("rows", state.rows());
        json.writeNumberField("cols", state.cols());
        json.writeNumberField("input_tokens", state.usage().inputTokens());
        json.writeNumberField("output_tokens", state.usage().outputTokens());
        json.writeNumberField("cost_micro_usd", state.usage().costMicroUsd());
        json.writeBooleanField("cleared", state.cleared());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, RunState run) throws IOException {
        json.writeNumberField("number", run.number());
        FrameJsonWriter.number(json, "started_at_ms", run.startedAtMs());
        FrameJsonWriter.number(json, "ended_at_ms", run.endedAtMs());
        ToolTaskCancelRequested stop = run.stop();
        json.writeFieldName("stop");
        if (stop == null) {
            json.writeNull();
        } else {
            json.writeStartObject();
            FrameJsonWriter.write(json, stop);
            json.writeEndObject();
        }
        json.writeBooleanField("stopped", run.stopped());
        FrameJsonWriter.text(json, "question", run.question());
        Ending ending = run.ending();
        FrameJsonWriter.text(
                json, "outcome", ending == null ? null : ending.outcome().wireName());
        FrameJsonWriter.number(json, "exit_code", ending == null ? null : ending.exitCode());
        FrameJsonWriter.number(json, "signal", ending == null ? null : ending.signal());
        FrameJsonWriter.text(json, "error", run.error());
        FrameJsonWriter.text(
                json, "cause", run.cause() == null ? null : run.cause().wireName());
        FrameJsonWriter.text(
                json, "actor", run.actor() == null ? null : run.actor().toString());
        FrameJsonWriter.logEnds(json, run.logs());
    }

    @SuppressWarnings("NullAway") // It does not see @Nullable on a nested type of a compiled class.
    private static TaskState read(JsonFields fields) {
        JsonFields spec = fields.inOrNull("spec");
        JsonFields output = fields.in("output");
        return new TaskState(
                fields.number("next_seq"),
                spec == null ? null : FrameJsonReader.spawned(spec),
                FrameJsonReader.refused(fields.inOrNull("refused")),
                fields.oneOf("phase", Phase.class),
                readRun(fields.in("run")),
                new OutputTotals(
                        output.number("stdout_total"),
                        output.number("stdout_stored"),
                        output.number("stderr_total"),
                        output.number("stderr_stored"),
                        output.number("pty_total"),
                        output.number("pty_stored")),
                fields.smallNumber("turns"),
                fields.oneOfOrNull("running_turn", TaskTurnStarted.Kind.class),
                fields.textOrNull("result"),
                fields.smallNumber("rows"),
                fields.smallNumber("cols"),
                new TaskUsage(
                        fields.number("input_tokens"), fields.number("output_tokens"), fields.number("cost_micro_usd")),
                fields.flag("cleared"));
    }

    private static RunState readRun(JsonFields fields) {
        JsonFields stop = fields.inOrNull("stop");
        @Nullable String actor = fields.textOrNull("actor");
        return new RunState(
                fields.smallNumber("number"),
                fields.numberOrNull("started_at_ms"),
                fields.numberOrNull("ended_at_ms"),
                stop == null ? null : FrameJsonReader.cancelRequested(stop),
                fields.flag("stopped"),
                fields.textOrNull("question"),
                FrameJsonReader.ending(fields),
                fields.textOrNull("error"),
                fields.oneOfOrNull("cause", Cause.class),
                actor == null ? null : Actor.parse(actor),
                FrameJsonReader.logEnds(fields));
    }
}
