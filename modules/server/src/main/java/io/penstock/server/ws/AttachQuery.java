package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.RenderedScreen;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.penstock.server.ws.wire.WsLimits;
import io.vertx.core.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request to attach: where the viewer starts, and what it may do.
 *
 * @param screensWhenBehind whether the viewer gets a screen in place of output when it lags far behind
 * @param text how much of the output comes as text in JSON frames
 * @param client the client's own name, by which it is recognized when it reconnects; null if it gave none
 */
record AttachQuery(
        Start start,
        boolean screensWhenBehind,
        boolean controls,
        InlineText text,
        @Nullable String client) {

    /** The place at which a viewer starts. */
    sealed interface Start {
        record FromSeq(long seq) implements Start {}

        record TailFrames(long frames) implements Start {}

        record TailBytes(long bytes) implements Start {}

        record OfScreen(int scrollbackLines) implements Start {}
    }

    static AttachQuery read(QueryFields query) {
        return new AttachQuery(
                start(query),
                screensWhenBehind(query.textOrNull("behind")),
                controls(query.textOrNull("rights")),
                query.inlineText(),
                client(query.textOrNull("client")));
    }

    private static Start start(QueryFields query) {
        long fromSeq = query.number("from_seq", 0, Limits.WHOLE_NUMBER, -1);
        long frames = query.number("tail", 0, Limits.WHOLE_NUMBER, -1);
        long bytes = query.number("tail_bytes", 0, WsLimits.TAIL_BYTES, -1);
        long screen = query.number("screen", 0, Limits.SCREEN_HISTORY_LINES, -1);
        if (LongStream.of(fromSeq, frames, bytes, screen)
                        .filter(given -> given >= 0)
                        .count()
                > 1) {
            throw RequestFields.wrong("from_seq, tail, tail_bytes and screen each set the start; give one of them");
        }
        if (screen >= 0) {
            return new Start.OfScreen((int) screen);
        }
        return frames >= 0
                ? new Start.TailFrames(frames)
                : bytes >= 0 ? new Start.TailBytes(bytes) : new Start.FromSeq(Math.max(0, fromSeq));
    }

    private static boolean screensWhenBehind(@Nullable String behind) {
        if (behind == null) {
            return false;
        }
        return switch (behind) {
            case "frames" -> false;
            case "screen" -> true;
            default ->
                throw RequestFields.wrong(
                        "behind must be frames or screen, but is \"" + RequestFields.shown(behind) + "\"");
        };
    }

    /** Whether the viewer may do more than view. */
    static boolean controls(@Nullable String rights) {
        if (rights == null) {
            return true;
        }
        return switch (rights) {
            case "control" -> true;
            case "view" -> false;
            default ->
                throw RequestFields.wrong(
                        "rights must be control or view, but is \"" + RequestFields.shown(rights) + "\"");
        };
    }

    private static @Nullable String client(@Nullable String client) {
        if (client != null && !client.matches("[A-Za-z0-9._:-]{1," + WsLimits.CLIENT_CHARS + "}")) {
            throw RequestFields.wrong("client has 1 to " + WsLimits.CLIENT_CHARS
                    + " letters, digits or . _ : -, but is \"" + RequestFields.shown(client) + "\"");
        }
        return client;
    }

    /**
     * The beginning of what a viewer is sent.
     *
     * @param screen the screen before the first frame of the range, if the query asks for it
     */
    record Opening(FollowRange range, @Nullable RenderedScreen screen) {}

    Future<Opening> opening(
            TaskApi tasks, Screens screens, ScreenReservations reservations, String taskId, BooleanSupplier hasLeft) {
        return tasks.state(taskId).compose(known -> {
            if (screensWhenBehind && hasNoTerminal(known)) {
                throw RequestFields.wrong("The task " + taskId
                        + " has no screen, for it has no terminal; attach with behind=frames, or without it");
            }
            return switch (start) {
                case Start.FromSeq from -> opening(taskId, known, from.seq());
                case Start.TailFrames tail -> opening(taskId, known, Math.max(0, known.nextSeq() - tail.frames()));
                case Start.TailBytes tail ->
                    tasks.lastBytes(taskId, known, tail.bytes()).compose(seq -> opening(taskId, known, seq));
                case Start.OfScreen _ -> withScreen(tasks, screens, reservations, taskId, hasLeft);
            };
        });
    }

    private static boolean hasNoTerminal(TaskState known) {
        ToolTaskSpawned spec = known.spec();
        return spec == null || spec.executionMode() != ExecutionMode.PTY;
    }

    private static Future<Opening> opening(String taskId, TaskState known, long fromSeq) {
        return Future.succeededFuture(new Opening(new FollowRange(taskId, known, fromSeq, true), null));
    }

    /** Reads the state after the screen, so that it is not older. */
    private Future<Opening> withScreen(
            TaskApi tasks, Screens screens, ScreenReservations reservations, String taskId, BooleanSupplier hasLeft) {
        return reservations
                .acquire(() -> screen(screens, taskId, hasLeft))
                .compose(at -> tasks.state(taskId)
                        .map(known -> new Opening(new FollowRange(taskId, known, at.seq() + 1, true), at)));
    }

    /** Draws the current screen, with the requested scrollback, by default all of it. */
    Future<RenderedScreen> screen(Screens screens, String taskId, BooleanSupplier hasLeft) {
        int lines = start instanceof Start.OfScreen asked ? asked.scrollbackLines() : Limits.SCREEN_HISTORY_LINES;
        return screens.rendered(taskId, lines, hasLeft);
    }
}
