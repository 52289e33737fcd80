package io.penstock.frames;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The compact form in which a body is kept, beside its type's number. It may only be extended at its end: the code of an
 * enum constant is its ordinal, constants are appended, fields are appended, and a reader asks {@link ByteReader#hasMore}
 * before it reads a field that older records lack.
 */
public final class StoredForm {

    private StoredForm() {}

    /** Appends the body's stored form. */
    public static void write(FrameBody frame, ByteWriter out) {
        switch (frame) {
            case TaskFrame body -> write(body, out);
            case SessionFrame body -> write(body, out);
            case UnknownFrame body -> {
                out.writeText(body.typeName());
                out.writeText(body.fields().text());
            }
        }
    }

    public static FrameBody read(FrameType type, ByteReader in) {
        try {
            return StoredFormReader.read(type, in);
        } catch (IllegalArgumentException e) {
            throw new Failure(
                    FailureCode.MALFORMED_FRAME,
                    "A stored " + (type == FrameType.UNKNOWN ? "frame of a type unknown here" : type.wireName())
                            + " makes no sense: "
                            + Objects.requireNonNullElse(e.getMessage(), ""),
                    e);
        }
    }

    private static void write(TaskFrame frame, ByteWriter out) {
        switch (frame) {
            case ToolTaskSpawned body -> spawned(body, out);
            case ToolTaskStatus body -> status(body, out);
            case ToolTaskOutputDelta body -> {
                out.writeByte(body.channel().ordinal());
                out.writeNumber(body.offset());
                out.writeNumber(body.bytes());
                // Nearly always 0: what is not stored.
                out.writeNumber(body.bytesTotal() - body.bytesStored());
                LineSpan lines = body.lines();
                if (lines != null) {
                    out.writeNumber(lines.first());
                    out.writeNumber(lines.count());
                }
            }
            case ToolTaskStdinWritten body -> {
                out.writeNumber(body.bytes());
                out.writeTextOrNull(body.chunkBase64());
                actor(body.actor(), out);
            }
            case ToolTaskResized body -> {
                out.writeNumber(body.rows());
                out.writeNumber(body.cols());
                actor(body.actor(), out);
            }
            case ToolTaskSignalled body -> {
                out.writeText(body.signal());
                actor(body.actor(), out);
            }
            case ToolTaskCancelRequested body -> {
                out.writeTextOrNull(body.reason());
                out.writeByte(body.cause().ordinal());
                actor(body.actor(), out);
            }
            case ToolTaskCancelled body -> {
                out.writeTextOrNull(body.reason());
                out.writeNumber(body.wallTimeMs());
            }
            case ArtifactWritten body -> {
                out.writeText(body.artifactId());
                out.writeText(body.kind());
                out.writeNumber(body.bytes());
                out.writeText(body.digest());
                out.writeTextOrNull(body.preview());
            }
            case TaskPolicyVerdict body -> {
                out.writeText(body.operation());
                out.writeByte(body.verdict().ordinal());
                out.writeText(body.rule());
                out.writeTextOrNull(body.reason());
                actor(body.askedBy(), out);
                budgets(body, out);
            }
            case TaskQueued body -> {
                out.writeText(body.lane());
                out.writeNumber(body.ahead());
            }
            case TaskWatcherHit body -> {
                out.writeText(body.watcherId());
                out.writeText(body.event());
                out.writeByte(body.channel().ordinal());
                out.writeNumber(body.offset());
                out.writeNumber(body.bytes());
                out.writeText(body.matched());
                out.writeNumber(body.frameSeq());
            }
            case TaskTurnStarted body -> {
                out.writeNumber(body.turn());
                out.writeByte(body.kind().ordinal());
                out.writeText(body.prompt());
                out.writeTextOrNull(body.promptId());
                actor(body.actor(), out);
            }
            case TaskTurnSettled body -> {
                out.writeNumber(body.turn());
                out.writeText(body.stopReason());
                out.writeTextOrNull(body.result());
            }
            case TaskUsage body -> {
                out.writeNumber(body.inputTokens());
                out.writeNumber(body.outputTokens());
                out.writeNumber(body.costMicroUsd());
            }
            case TaskRunStarted body -> {
                out.writeNumber(body.run());
                out.writeByte(body.kind().ordinal());
                actor(body.actor(), out);
            }
            case TaskScreenKeyframe body -> {
                out.writeText(body.artifactId());
                out.writeNumber(body.ptyOffset());
                out.writeNumber(body.rows());
                out.writeNumber(body.cols());
            }
            case TaskNotice body -> {
                out.writeText(body.code());
                out.writeText(body.message());
            }
            case TaskCleared body -> actor(body.actor(), out);
            case ToolTaskOutputGap body -> {
                out.writeByte(body.channel().ordinal());
                out.writeNumber(body.offset());
                out.writeNumber(body.bytes());
                out.writeText(body.reason());
            }
        }
    }

    private static void write(SessionFrame frame, ByteWriter out) {
        out.writeText(frame.task().id());
        switch (frame) {
            case ToolStdout body -> {
                out.writeText(body.chunk());
                out.writeNumber(body.taskSeq());
            }
            case ToolStderr body -> {
                out.writeText(body.chunk());
                out.writeNumber(body.taskSeq());
            }
            case ToolEnded body -> {
                out.writeByte(body.outcome().ordinal());
                out.writeNumberOrNull(body.exitCode());
                out.writeNumber(body.taskSeq());
            }
        }
    }

    private static void spawned(ToolTaskSpawned body, ByteWriter out) {
        out.writeText(body.toolName());
        out.writeText(body.args().text());
        out.writeTextOrNull(body.cwd());
        out.writeTextOrNull(body.title());
        out.writeByte(body.executionMode().ordinal());
        out.writeTextOrNull(body.originSessionId());
        // The mode says which channels they are.
        for (LogRef log : body.logs()) {
            out.writeText(log.artifactId());
            out.writeText(log.path());
        }
        out.writeNumberOrNull(body.artifactMaxBytes());
        out.writeNumberOrNull(body.maxBytes());
        actor(body.actor(), out);
        addedToSpawned(body, out);
    }

    /** As with budgets, absent at the end where there is nothing to say: so older records keep their bytes. */
    private static void addedToSpawned(ToolTaskSpawned body, ByteWriter out) {
        Containment containment = body.containment();
        TaskLabel label = body.label();
        RecordInput recordInput = body.recordInput();
        Keep keep = body.keep();
        if (containment != null || label != null || recordInput != null || keep != null) {
            out.writeNumberOrNull(containment == null ? null : containment.ordinal());
        }
        if (label != null || recordInput != null || keep != null) {
            out.writeTextOrNull(label == null ? null : label.text());
        }
        if (recordInput != null || keep != null) {
            out.writeNumberOrNull(recordInput == null ? null : recordInput.ordinal());
        }
        if (keep != null) {
            out.writeNumberOrNull(keep.ordinal());
        }
    }

    /** Absent at the end rather than empty: so records without it are the same bytes as before there was any. */
    private static void budgets(TaskPolicyVerdict body, ByteWriter out) {
        Budgets budgets = body.budgets();
        Actor answeredBy = body.answeredBy();
        if (!budgets.equals(Budgets.NONE) || answeredBy != null) {
            out.writeNumberOrNull(budgets.timeMs());
            out.writeNumberOrNull(budgets.outputBytes());
            out.writeNumberOrNull(budgets.events());
        }
        if (answeredBy != null) {
            out.writeTextOrNull(answeredBy.toString());
        }
    }

    private static void status(ToolTaskStatus body, ByteWriter out) {
        out.writeByte(body.phase().ordinal());
        Ending ending = body.ending();
        out.writeNumberOrNull(ending == null ? null : ending.outcome().ordinal());
        out.writeNumberOrNull(ending == null ? null : ending.exitCode());
        out.writeNumberOrNull(ending == null ? null : ending.signal());
        out.writeNumberOrNull(body.startedAtMs());
        out.writeNumberOrNull(body.endedAtMs());
        logEnds(body.logs(), out);
        out.writeTextOrNull(body.error());
        out.writeTextOrNull(body.question());
        out.writeByte(body.cause().ordinal());
        actor(body.actor(), out);
        RefusedSpawn refused = body.refused();
        boolean digests = body.logs().stream().anyMatch(end -> end.digest() != null);
        if (refused != null || digests) {
            out.writeByte(refused == null ? 0 : 1);
        }
        if (refused != null) {
            refused(refused, out);
        }
        if (digests) {
            body.logs().forEach(end -> out.writeTextOrNull(end.digest()));
        }
    }

    private static void refused(RefusedSpawn spawn, ByteWriter out) {
        out.writeText(spawn.toolName());
        out.writeText(spawn.args().text());
        out.writeTextOrNull(spawn.cwd());
        out.writeTextOrNull(spawn.title());
        out.writeByte(spawn.executionMode().ordinal());
        out.writeTextOrNull(spawn.originSessionId());
        TaskLabel label = spawn.label();
        out.writeTextOrNull(label == null ? null : label.text());
        actor(spawn.actor(), out);
    }

    private static void logEnds(List<LogEnd> logs, ByteWriter out) {
        out.writeByte(logs.size());
        for (LogEnd end : logs) {
            out.writeByte(end.log().channel().ordinal());
            out.writeText(end.log().artifactId());
            out.writeText(end.log().path());
            out.writeNumber(end.bytesTotal());
            out.writeNumber(end.bytesStored());
            out.writeTextOrNull(end.error());
        }
    }

    private static void actor(Actor actor, ByteWriter out) {
        out.writeByte(actor.kind().ordinal());
        @Nullable String id = actor.id();
        if (id != null) {
            out.writeText(id);
        }
    }
}
