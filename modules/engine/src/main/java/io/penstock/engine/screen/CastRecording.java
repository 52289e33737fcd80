package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.BytesGone;
import io.penstock.engine.log.AsyncLoop;
import io.penstock.engine.log.FrameLog;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.frames.ToolTaskResized;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.ToolTaskStdinWritten;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Objects;

/**
 * A task as a recording for terminal players, written piece by piece on demand; for a running task, up to now. The caller asks for
 * one piece at a time.
 */
public final class CastRecording {

    /** A piece takes some milliseconds of work; only it and a page of frames are in memory. */
    private static final int PIECE_CHARS = 64 * 1024;

    private final Vertx vertx;
    private final FrameLog log;
    private final TerminalSpec terminal;
    private final Artifact artifact;
    private final CastFormat format;
    private final boolean withInput;
    private final long endSeq;
    private final ArrayDeque<Frame> page = new ArrayDeque<>();
    private final CastText text = new CastText();
    private final CastText input = new CastText();
    private long nextSeq;
    private long beforeMs;
    private boolean started;
    private String piece = "";

    private CastRecording(
            Vertx vertx,
            FrameLog log,
            TerminalSpec terminal,
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
     * @param withInput whether it includes typed input, as far as that is recorded
     * @param endSeq the first frame after the recording
     */
    static Future<CastRecording> of(
            Vertx vertx,
            FrameLog log,
            ArtifactStore artifacts,
            String taskId,
            CastFormat format,
            boolean withInput,
            long endSeq) {
        return TerminalSpec.find(log, taskId)
                .compose(terminal -> vertx.executeBlocking(() -> terminal.artifact(artifacts), false)
                        .map(Objects::requireNonNull)
                        .map(artifact -> new CastRecording(vertx, log, terminal, artifact, format, withInput, endSeq)));
    }

    /** The next piece; empty at the end. */
    public Future<Buffer> next() {
        if (!started) {
            started = true;
            return artifact.firstByte() == 0
                    ? Future.succeededFuture(Buffer.buffer(header()))
                    : vertx.executeBlocking(() -> Buffer.buffer(header() + firstKeyframe()), false)
                            .map(Objects::requireNonNull);
        }
        return AsyncLoop.of(() -> (page.isEmpty() ? readPage() : Future.succeededFuture()).compose(read -> piece()))
                .map(done -> Buffer.buffer(piece));
    }

    private String header() {
        return format.header(
                terminal.size().rows(),
                terminal.size().cols(),
                terminal.spawnedAtMs(),
                terminal.spec().title());
    }

    /** If only the output's tail is kept: its first keyframe, in place of the trimmed output. */
    private String firstKeyframe() {
        Keyframe first = new Keyframes(artifact).from(artifact.firstByte());
        if (first == null) {
            return "";
        }
        nextSeq = first.seq() + 1;
        var out = new StringBuilder();
        format.event(out, 0, 0, 'r', first.cols() + "x" + first.rows());
        format.event(out, 0, 0, 'o', new String(first.ansi(), StandardCharsets.UTF_8));
        return out.toString();
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

    /** Returns whether the piece is empty, because none of the page's frames is an event; then another page is needed. */
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
        } else if (body instanceof ToolTaskOutputGap gap && gap.channel() == Channel.PTY) {
            event(out, frame, 'm', gap.bytes() + " bytes are missing");
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
        return delta.channel() == Channel.PTY && length > 0 ? storedText(delta.offset(), length) : "";
    }

    private String storedText(long offset, int length) throws IOException {
        try {
            return text.of(artifact.read(offset, length));
        } catch (BytesGone e) {
            return "";
        }
    }

    private void event(StringBuilder out, Frame frame, char code, String data) {
        if (data.isEmpty()) {
            return;
        }
        // The system clock may have been set back.
        long sinceStartMs = Math.max(beforeMs, frame.timestampMs() - terminal.spawnedAtMs());
        format.event(out, sinceStartMs, beforeMs, code, data);
        beforeMs = sinceStartMs;
    }
}
