package io.penstock.frames;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads bodies from their stored form. */
final class StoredFormReader {

    private static final Phase[] PHASES = Phase.values();
    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final Cause[] CAUSES = Cause.values();
    private static final Channel[] CHANNELS = Channel.values();
    private static final ExecutionMode[] MODES = ExecutionMode.values();
    private static final Containment[] CONTAINMENTS = Containment.values();
    private static final RecordInput[] INPUTS = RecordInput.values();
    private static final Keep[] KEEPS = Keep.values();
    private static final Actor.Kind[] ACTORS = Actor.Kind.values();
    private static final TaskPolicyVerdict.Verdict[] VERDICTS = TaskPolicyVerdict.Verdict.values();
    private static final TaskTurnStarted.Kind[] TURNS = TaskTurnStarted.Kind.values();
    private static final TaskRunStarted.Kind[] RUNS = TaskRunStarted.Kind.values();

    private StoredFormReader() {}

    static FrameBody read(FrameType type, ByteReader in) {
        return switch (type) {
            case UNKNOWN -> unknown(in);
            case TOOL_TASK_SPAWNED -> spawned(in);
            case TOOL_TASK_STATUS -> status(in);
            case TOOL_TASK_OUTPUT_DELTA -> delta(in);
            case TOOL_TASK_STDIN_WRITTEN ->
                new ToolTaskStdinWritten(in.readSmallNumber(), in.readTextOrNull(), actor(in));
            case TOOL_TASK_RESIZED -> new ToolTaskResized(in.readSmallNumber(), in.readSmallNumber(), actor(in));
            case TOOL_TASK_SIGNALLED -> new ToolTaskSignalled(in.readText(), actor(in));
            case TOOL_TASK_CANCEL_REQUESTED ->
                new ToolTaskCancelRequested(in.readTextOrNull(), of(CAUSES, in.readByte()), actor(in));
            case TOOL_TASK_CANCELLED -> new ToolTaskCancelled(in.readTextOrNull(), in.readNumber());
            case ARTIFACT_WRITTEN ->
                new ArtifactWritten(in.readText(), in.readText(), in.readNumber(), in.readText(), in.readTextOrNull());
            case TASK_POLICY_VERDICT ->
                new TaskPolicyVerdict(
                        in.readText(),
                        of(VERDICTS, in.readByte()),
                        in.readText(),
                        in.readTextOrNull(),
                        actor(in),
                        budgets(in),
                        actorOrNull(in));
            case TASK_QUEUED -> new TaskQueued(in.readText(), in.readNumber());
            case TASK_WATCHER_HIT ->
                new TaskWatcherHit(
                        in.readText(),
                        in.readText(),
                        of(CHANNELS, in.readByte()),
                        in.readNumber(),
                        in.readSmallNumber(),
                        in.readText(),
                        in.readNumber());
            case TASK_TURN_STARTED ->
                new TaskTurnStarted(
                        in.readSmallNumber(), of(TURNS, in.readByte()), in.readText(), in.readTextOrNull(), actor(in));
            case TASK_TURN_SETTLED -> new TaskTurnSettled(in.readSmallNumber(), in.readText(), in.readTextOrNull());
            case TASK_USAGE -> new TaskUsage(in.readNumber(), in.readNumber(), in.readNumber());
            case TASK_RUN_STARTED -> new TaskRunStarted(in.readSmallNumber(), of(RUNS, in.readByte()), actor(in));
            case TASK_SCREEN_KEYFRAME ->
                new TaskScreenKeyframe(in.readText(), in.readNumber(), in.readSmallNumber(), in.readSmallNumber());
            case TASK_NOTICE -> new TaskNotice(in.readText(), in.readText());
            case TASK_CLEARED -> new TaskCleared(actor(in));
            case TOOL_STDOUT -> new ToolStdout(StreamId.task(in.readText()), in.readText(), in.readNumber());
            case TOOL_STDERR -> new ToolStderr(StreamId.task(in.readText()), in.readText(), in.readNumber());
            case TOOL_ENDED ->
                new ToolEnded(
                        StreamId.task(in.readText()),
                        of(OUTCOMES, in.readByte()),
                        in.readSmallNumberOrNull(),
                        in.readNumber());
            case TOOL_TASK_OUTPUT_GAP ->
                new ToolTaskOutputGap(of(CHANNELS, in.readByte()), in.readNumber(), in.readNumber(), in.readText());
        };
    }

    /** A frame that was not known to who wrote it down may be known to who reads it: then it is what it says. */
    private static FrameBody unknown(ByteReader in) {
        String typeName = in.readText();
        var fields = new JsonText(in.readText());
        FrameType type = FrameType.ofWireName(typeName);
        if (type == null) {
            return new UnknownFrame(typeName, fields);
        }
        return FrameJsonReader.body(type, new JsonFields((ObjectNode) fields.toNode(), "frame"));
    }

    private static ToolTaskSpawned spawned(ByteReader in) {
        String toolName = in.readText();
        var args = new JsonText(in.readText());
        String cwd = in.readTextOrNull();
        String title = in.readTextOrNull();
        ExecutionMode mode = of(MODES, in.readByte());
        String origin = in.readTextOrNull();
        var logs = new ArrayList<LogRef>(2);
        for (Channel channel : mode.channels()) {
            logs.add(new LogRef(channel, in.readText(), in.readText()));
        }
        return new ToolTaskSpawned(
                toolName,
                args,
                cwd,
                title,
                mode,
                origin,
                logs,
                in.readNumberOrNull(),
                in.readNumberOrNull(),
                actor(in),
                containment(in),
                label(in),
                recordInput(in),
                readKeep(in));
    }

    private static @Nullable Containment containment(ByteReader in) {
        Integer code = in.hasMore() ? in.readSmallNumberOrNull() : null;
        return code == null ? null : of(CONTAINMENTS, code);
    }

    private static @Nullable TaskLabel label(ByteReader in) {
        return TaskLabel.ofNullable(in.hasMore() ? in.readTextOrNull() : null);
    }

    private static @Nullable RecordInput recordInput(ByteReader in) {
        Integer code = in.hasMore() ? in.readSmallNumberOrNull() : null;
        return code == null ? null : of(INPUTS, code);
    }

    private static @Nullable Keep readKeep(ByteReader in) {
        Integer code = in.hasMore() ? in.readSmallNumberOrNull() : null;
        return code == null ? null : of(KEEPS, code);
    }

    private static @Nullable Actor actorOrNull(ByteReader in) {
        String text = in.hasMore() ? in.readTextOrNull() : null;
        return text == null ? null : Actor.parse(text);
    }

    private static Budgets budgets(ByteReader in) {
        return in.hasMore()
                ? new Budgets(in.readNumberOrNull(), in.readNumberOrNull(), in.readNumberOrNull())
                : Budgets.NONE;
    }

    private static ToolTaskStatus status(ByteReader in) {
        Phase phase = of(PHASES, in.readByte());
        Integer outcome = in.readSmallNumberOrNull();
        Integer exitCode = in.readSmallNumberOrNull();
        Integer signal = in.readSmallNumberOrNull();
        Ending ending = outcome == null ? null : new Ending(of(OUTCOMES, outcome), exitCode, signal);
        Long startedAtMs = in.readNumberOrNull();
        Long endedAtMs = in.readNumberOrNull();
        List<LogEnd> logs = logEnds(in);
        String error = in.readTextOrNull();
        String question = in.readTextOrNull();
        Cause cause = of(CAUSES, in.readByte());
        Actor actor = actor(in);
        RefusedSpawn refused = refused(in);
        return new ToolTaskStatus(
                phase, ending, startedAtMs, endedAtMs, withDigests(logs, in), error, question, cause, actor, refused);
    }

    private static List<LogEnd> withDigests(List<LogEnd> logs, ByteReader in) {
        return in.hasMore()
                ? logs.stream().map(end -> end.with(in.readTextOrNull())).toList()
                : logs;
    }

    private static @Nullable RefusedSpawn refused(ByteReader in) {
        return in.hasMore() && in.readByte() == 1
                ? new RefusedSpawn(
                        in.readText(),
                        new JsonText(in.readText()),
                        in.readTextOrNull(),
                        in.readTextOrNull(),
                        of(MODES, in.readByte()),
                        in.readTextOrNull(),
                        TaskLabel.ofNullable(in.readTextOrNull()),
                        actor(in))
                : null;
    }

    private static List<LogEnd> logEnds(ByteReader in) {
        int count = in.readByte();
        var ends = new ArrayList<LogEnd>(count);
        for (int i = 0; i < count; i++) {
            var log = new LogRef(of(CHANNELS, in.readByte()), in.readText(), in.readText());
            ends.add(new LogEnd(log, in.readNumber(), in.readNumber(), in.readTextOrNull()));
        }
        return ends;
    }

    private static ToolTaskOutputDelta delta(ByteReader in) {
        Channel channel = of(CHANNELS, in.readByte());
        long offset = in.readNumber();
        int bytes = in.readSmallNumber();
        long notStored = in.readNumber();
        LineSpan lines = in.hasMore() ? lines(in) : null;
        return new ToolTaskOutputDelta(channel, offset, bytes, offset + bytes - notStored, lines);
    }

    /** Lines count from 1, so 0 stands for none where a later version has more behind it. */
    private static @Nullable LineSpan lines(ByteReader in) {
        long first = in.readNumber();
        int count = in.readSmallNumber();
        return first == 0 ? null : new LineSpan(first, count);
    }

    private static Actor actor(ByteReader in) {
        Actor.Kind kind = of(ACTORS, in.readByte());
        @Nullable String id = kind == Actor.Kind.USER ? in.readText() : null;
        return switch (kind) {
            case USER -> new Actor(kind, id);
            case SERVER -> Actor.SERVER;
            case REAPER -> Actor.REAPER;
            case POLICY -> Actor.POLICY;
            case PROGRAM -> Actor.PROGRAM;
        };
    }

    private static <E extends Enum<E>> E of(E[] constants, int code) {
        if (code >= constants.length) {
            throw new IllegalArgumentException(
                    constants[0].getDeclaringClass().getSimpleName() + " number " + code + " is not known");
        }
        return constants[code];
    }
}
