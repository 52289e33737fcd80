package io.penstock.server.tools.shell;

import io.penstock.frames.Channel;
import io.penstock.frames.DeltaText;
import io.penstock.frames.Ending;
import io.penstock.frames.Frame;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.TaskFrame;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.penstock.frames.UnknownFrame;
import io.penstock.server.tools.shell.ShellItem.Type;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps the frames of a run to its items. A frame has at most two items, with the seqs {@code 2 * frame + 1} and
 * {@code 2 * frame + 2}, so a cursor leads to its frame without counting.
 */
final class ShellItems {

    private static final int PER_FRAME = 2;

    private final RunOutputCap cap;

    ShellItems(RunOutputCap cap) {
        this.cap = cap;
    }

    /** The frame from which items after {@code sinceSeq} come. */
    static long firstFrame(long sinceSeq) {
        return sinceSeq / PER_FRAME;
    }

    /** The cursor after all items of the frames below {@code nextFrame}. */
    static long cursor(long nextFrame) {
        return nextFrame * PER_FRAME;
    }

    /** The items of one frame, whose output has its text. */
    List<ShellItem> of(Frame frame) {
        return switch (frame.body()) {
            case ToolTaskSpawned _ -> one(frame, Type.STATUS, "queued", new JsonObject());
            case ToolTaskStatus status -> one(frame, Type.STATUS, word(status), meta(status));
            case ToolTaskOutputDelta delta -> output(frame, delta);
            case TaskWatcherHit hit ->
                one(
                        frame,
                        Type.EVENT,
                        hit.event(),
                        new JsonObject()
                                .put("kind", "watcher_hit")
                                .put("watcher_id", hit.watcherId())
                                .put("event", hit.event())
                                .put("stream", hit.channel().wireName())
                                .put("offset_bytes", hit.offset())
                                .put("matched", hit.matched()));
            case ToolTaskCancelRequested request ->
                one(
                        frame,
                        Type.EVENT,
                        "kill requested",
                        new JsonObject()
                                .put("kind", "kill_requested")
                                .put("cause", request.cause().wireName())
                                .put("reason", request.reason()));
            case TaskRunStarted run ->
                one(
                        frame,
                        Type.EVENT,
                        "queued again as run " + run.run(),
                        new JsonObject().put("kind", "recovered").put("run", run.run()));
            case TaskNotice notice ->
                one(frame, Type.EVENT, notice.message(), new JsonObject().put("kind", notice.code()));
            case ToolTaskOutputGap gap ->
                one(
                        frame,
                        Type.EVENT,
                        gap.bytes() + " bytes of " + gap.channel().wireName() + " are missing: " + gap.reason(),
                        new JsonObject()
                                .put("kind", "output_gap")
                                .put("stream", gap.channel().wireName()));
            // Not an event of the contract; GET /tasks/{id}/events has them all.
            case TaskFrame _, SessionFrame _, UnknownFrame _ -> List.of();
        };
    }

    private List<ShellItem> output(Frame frame, ToolTaskOutputDelta delta) {
        Channel channel = delta.channel();
        long shown = cap.shownOf(frame, delta);
        var items = new ArrayList<ShellItem>(PER_FRAME);
        DeltaText text = delta.text();
        if (shown > 0 && text != null) {
            String chunk = shown == delta.bytes() ? text.chunk() : prefix(text.chunk(), shown);
            items.add(new ShellItem(
                    seq(frame, 1),
                    channel == Channel.STDERR ? Type.STDERR : Type.STDOUT,
                    channel,
                    chunk,
                    new JsonObject().put("offset_bytes", delta.offset()).put("bytes", shown),
                    frame.timestampMs()));
        }
        if (frame.seq() == cap.frame()) {
            items.add(new ShellItem(
                    seq(frame, 2),
                    Type.OUTPUT_TRUNCATED,
                    null,
                    "Output beyond " + cap.bytes() + " bytes is counted, but not shown",
                    new JsonObject().put("max_output_bytes", cap.bytes()),
                    frame.timestampMs()));
        }
        return items;
    }

    /** As many whole characters as fit into this number of bytes. */
    static String prefix(String text, long bytes) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int end = (int) Math.min(bytes, utf8.length);
        while (end > 0 && end < utf8.length && (utf8[end] & 0xC0) == 0x80) {
            end--;
        }
        return new String(utf8, 0, end, StandardCharsets.UTF_8);
    }

    private static List<ShellItem> one(Frame frame, Type type, String payload, JsonObject meta) {
        return List.of(new ShellItem(seq(frame, 1), type, null, payload, meta, frame.timestampMs()));
    }

    private static long seq(Frame frame, int place) {
        return cursor(frame.seq()) + place;
    }

    private static String word(ToolTaskStatus status) {
        return ShellStatus.of(
                status.phase(), status.ending() == null ? null : status.ending().outcome(), false);
    }

    private static JsonObject meta(ToolTaskStatus status) {
        Ending ending = status.ending();
        var meta = new JsonObject();
        if (ending != null) {
            meta.put("exit_code", ending.exitCode());
        }
        if (status.error() != null) {
            meta.put("error", status.error());
        }
        return meta;
    }
}
