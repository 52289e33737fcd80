package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.log.FrameLog;
import io.penstock.engine.log.Rounds;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.ToolTaskStdinWritten;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Objects;

/**
 * A task as a recording that terminal players show, made piece by piece as somebody takes it: of what has happened so far, for a
 * task that still runs. One piece is asked for after the other.
 */
public final class CastRecording {

    /** A piece: some milliseconds of work, and all that is in memory of a recording besides a page of frames. */
    private static final int PIECE_CHARS = 64 * 1024;

    private final Vertx vertx;
    private final FrameLog log;
    private final TaskTerminal terminal;
    private final Artifact artifact;
    private final CastFormat format;
    private final boolean withInput;
    private final long endSeq;
    private final ArrayDeque<Frame> page = new ArrayDeque<>();
    private final CastText text = new CastText();
    private final CastText input = new CastText();
    private long nextSeq;
    private long beforeMs;
    private boolean begun;
    private String piece = "";

    private CastRecording(
            Vertx vertx,
            FrameLog log,
            TaskTerminal terminal,
            Artifact artifact,
            CastFormat format,
            boolean withInput,
            long endSeq) {
        this.vertx = vertx;
        this.log = log;
        this.terminal = terminal;
        this.artifact = artifact;
        this.format = format;
        this.withInput = withInput;
        this.endSeq = endSeq;
    }

    /**
     * @param withInput whether what was typed is in it, as far as it is recorded
     * @param endSeq the first frame that is not in it any more
     */
    static Future<CastRecording> of(
            Vertx vertx,
            FrameLog log,
            ArtifactStore artifacts,
            String taskId,
            CastFormat format,
            boolean withInput,
            long endSeq) {
        return TaskTerminal.find(log, taskId)
                .compose(terminal -> vertx.executeBlocking(() -> terminal.artifact(artifacts), false)
                        .map(Objects::requireNonNull)
                        .map(artifact -> new CastRecording(vertx, log, terminal, artifact, format, withInput, endSeq)));
    }

    /** The next piece; an empty one when that was all. */
    public Future<Buffer> next() {
        if (!begun) {
            begun = true;
            return Future.succeededFuture(Buffer.buffer(format.header(
                    terminal.size().rows(),
                    terminal.size().cols(),
                    terminal.spawnedAtMs(),
                    terminal.spec().title())));
        }
        return Rounds.of(() -> (page.isEmpty() ? readPage() : Future.succeededFuture()).compose(read -> piece()))
                .map(done -> Buffer.buffer(piece));
    }

    private Future<?> readPage() {
        long left = endSeq - nextSeq;
        return left <= 0
                ? Future.succeededFuture()
                : log.read(terminal.stream(), nextSeq, (int) Math.min(left, Limits.PAGE_FRAMES))
                        .onSuccess(read -> {
                            page.addAll(read.frames());
                            nextSeq += read.frames().size();
                        });
    }

    /** Frames that are no events leave nothing to tell, so that it takes another page. */
    private Future<Boolean> piece() {
        piece = "";
        return page.isEmpty()
                ? Future.succeededFuture(false)
                : vertx.executeBlocking(this::lines, false).map(lines -> {
                    piece = Objects.requireNonNull(lines);
                    return piece.isEmpty();
                });
    }

    private String lines() throws IOException {
        var out = new StringBuilder();
        while (!page.isEmpty() && out.length() < PIECE_CHARS) {
            add(out, page.remove());
        }
        return out.toString();
    }

    private void add(StringBuilder out, Frame frame) throws IOException {
        FrameBody body = frame.body();
        if (body instanceof ToolTaskOutputDelta delta) {
            event(out, frame, 'o', output(delta));
        } else if (body instanceof ToolTaskResized size) {
            event(out, frame, 'r', size.cols() + "x" + size.rows());
        } else if (body instanceof TaskWatcherHit hit) {
            event(out, frame, 'm', hit.event());
        } else if (body instanceof ToolTaskStdinWritten typed && withInput && typed.chunkBase64() != null) {
            event(out, frame, 'i', input.of(Base64.getDecoder().decode(typed.chunkBase64())));
        } else if (body instanceof ToolTaskStatus status
                && status.ending() != null
                && status.ending().exitCode() != null
                && format == CastFormat.V3) {
            event(out, frame, 'x', String.valueOf(status.ending().exitCode()));
        }
    }

    private String output(ToolTaskOutputDelta delta) throws IOException {
        long stored = Math.min(delta.bytesTotal(), delta.bytesStored());
        int length = (int) Math.max(0, stored - delta.offset());
        return delta.channel() == Channel.PTY && length > 0 ? text.of(artifact.read(delta.offset(), length)) : "";
    }

    private void event(StringBuilder out, Frame frame, char code, String data) {
        if (data.isEmpty()) {
            return;
        }
        // Clocks are set back at times.
        long sinceStartMs = Math.max(beforeMs, frame.timestampMs() - terminal.spawnedAtMs());
        format.event(out, sinceStartMs, beforeMs, code, data);
        beforeMs = sinceStartMs;
    }
}
