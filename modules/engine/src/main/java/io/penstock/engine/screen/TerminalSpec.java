package io.penstock.engine.screen;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The terminal of a task, as its first frame describes it. */
record TerminalSpec(StreamId stream, ToolTaskSpawned spec, long spawnedAtMs, TerminalSize size) {

    static Future<TerminalSpec> find(FrameLog log, String taskId) {
        return ofTask(taskId, stream -> log.read(stream, 0, 1))
                .compose(page -> page.frames().isEmpty()
                        ? Future.failedFuture(noTask(taskId, null))
                        : Future.succeededFuture(of(page.frames().getFirst())));
    }

    /** The seq of the task's next frame. */
    static Future<Long> nextSeq(FrameLog log, String taskId) {
        return ofTask(taskId, log::nextSeq);
    }

    private static <T> Future<T> ofTask(String taskId, Function<StreamId, Future<T>> query) {
        StreamId stream;
        try {
            stream = StreamId.task(taskId);
        } catch (IllegalArgumentException e) {
            return Future.failedFuture(noTask(taskId, e));
        }
        return query.apply(stream)
                .recover(e -> Future.failedFuture(
                        e instanceof Failure failure && failure.code() == FailureCode.STREAM_NOT_FOUND
                                ? noTask(taskId, e)
                                : e));
    }

    private static Failure noTask(String taskId, @Nullable Throwable cause) {
        return new Failure(FailureCode.TASK_NOT_FOUND, "There is no task " + taskId, cause);
    }

    static TerminalSpec of(Frame first) {
        String taskId = first.stream().id();
        if (!(first.body() instanceof ToolTaskSpawned spec)) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + taskId + " was refused and never had a terminal; its status says why");
        }
        if (spec.executionMode() != ExecutionMode.PTY) {
            throw new Failure(
                    FailureCode.INVALID_REQUEST,
                    "The task " + taskId + " runs in mode "
                            + spec.executionMode().wireName()
                            + " and has no screen; those in mode pty have one. Read its output instead");
        }
        return new TerminalSpec(
                first.stream(), spec, first.timestampMs(), size(spec.args().toNode()));
    }

    /** The task's output. */
    Artifact artifact(ArtifactStore artifacts) {
        String artifactId = spec.log(Channel.PTY).artifactId();
        try {
            return artifacts.find(artifactId);
        } catch (Failure e) {
            if (e.code() != FailureCode.ARTIFACT_NOT_FOUND) {
                throw e;
            }
            Deletion deletion = artifacts.deletion(artifactId);
            String how = deletion == null
                    ? " has been removed, as outputs are kept for a time only; and its screens with it"
                    : " was deleted at " + deletion.at() + " by " + deletion.by() + ", and its screens with it";
            throw new Failure(FailureCode.ARTIFACT_GONE, "The output of the task " + stream.id() + how, e);
        }
    }

    private static TerminalSize size(JsonNode args) {
        return new TerminalSize(
                side(args.path("rows"), TerminalSize.DEFAULT.rows()),
                side(args.path("cols"), TerminalSize.DEFAULT.cols()));
    }

    private static int side(JsonNode given, int defaultSide) {
        int side = given.asInt(defaultSide);
        return side >= 1 && side <= Limits.TERMINAL_CELLS_PER_SIDE ? side : defaultSide;
    }
}
