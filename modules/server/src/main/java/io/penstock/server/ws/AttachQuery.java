package io.penstock.server.ws;

import io.penstock.engine.pump.Following;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.DrawnScreen;
import io.penstock.engine.screen.Screens;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.request.JsonFields;
import io.penstock.server.request.QueryFields;
import io.vertx.core.Future;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a viewer joins, and what it may do.
 *
 * @param jumps whether it takes a screen for output that it has fallen far behind of
 * @param client by which it is known again when it comes back; null if it does not care
 */
record AttachQuery(
        Start start,
        boolean jumps,
        boolean controls,
        @Nullable String client) {

    /** The place from which on a viewer sees frames. */
    sealed interface Start {
        record FromSeq(long seq) implements Start {}

        record TailFrames(long frames) implements Start {}

        record TailBytes(long bytes) implements Start {}

        record OfScreen(int scrollbackLines) implements Start {}
    }

    static AttachQuery read(QueryFields query) {
        return new AttachQuery(
                start(query),
                jumps(query.textOrNull("behind")),
                controls(query.textOrNull("rights")),
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
            throw JsonFields.wrong("from_seq, tail, tail_bytes and screen each say where to begin; give one of them");
        }
        if (screen >= 0) {
            return new Start.OfScreen((int) screen);
        }
        return frames >= 0
                ? new Start.TailFrames(frames)
                : bytes >= 0 ? new Start.TailBytes(bytes) : new Start.FromSeq(Math.max(0, fromSeq));
    }

    private static boolean jumps(@Nullable String behind) {
        if (behind == null) {
            return false;
        }
        return switch (behind) {
            case "frames" -> false;
            case "screen" -> true;
            default ->
                throw JsonFields.wrong("behind must be frames or screen, but is \"" + JsonFields.shown(behind) + "\"");
        };
    }

    private static boolean controls(@Nullable String rights) {
        if (rights == null) {
            return true;
        }
        return switch (rights) {
            case "control" -> true;
            case "view" -> false;
            default ->
                throw JsonFields.wrong("rights must be control or view, but is \"" + JsonFields.shown(rights) + "\"");
        };
    }

    private static @Nullable String client(@Nullable String client) {
        if (client != null && !client.matches("[A-Za-z0-9._:-]{1," + WsLimits.CLIENT_CHARS + "}")) {
            throw JsonFields.wrong("client has 1 to " + WsLimits.CLIENT_CHARS + " letters, digits or . _ : -, but is \""
                    + JsonFields.shown(client) + "\"");
        }
        return client;
    }

    /**
     * What a viewer is shown first.
     *
     * @param screen as it was before the first frame, if that was asked for
     */
    record Opening(Following following, @Nullable DrawnScreen screen) {}

    Future<Opening> opening(TaskApi tasks, Screens screens, String taskId) {
        return tasks.state(taskId).compose(known -> {
            if (jumps && hasNoTerminal(known)) {
                throw JsonFields.wrong("The task " + taskId
                        + " has no screen, for it has no terminal; attach with behind=frames, or without it");
            }
            return switch (start) {
                case Start.FromSeq from -> opening(taskId, known, from.seq());
                case Start.TailFrames tail -> opening(taskId, known, Math.max(0, known.nextSeq() - tail.frames()));
                case Start.TailBytes tail ->
                    tasks.lastBytes(taskId, known, tail.bytes()).compose(seq -> opening(taskId, known, seq));
                case Start.OfScreen _ -> withScreen(tasks, screens, taskId);
            };
        });
    }

    private static boolean hasNoTerminal(TaskState known) {
        ToolTaskSpawned spec = known.spec();
        return spec == null || spec.executionMode() != ExecutionMode.PTY;
    }

    private static Future<Opening> opening(String taskId, TaskState known, long fromSeq) {
        return Future.succeededFuture(new Opening(new Following(taskId, known, fromSeq, true), null));
    }

    /** The state is asked for after the screen, so that it is not behind it. */
    private Future<Opening> withScreen(TaskApi tasks, Screens screens, String taskId) {
        return screen(screens, taskId)
                .compose(at -> tasks.state(taskId)
                        .map(known -> new Opening(new Following(taskId, known, at.seq() + 1, true), at)));
    }

    /** The screen as it is now, with as much of its scrollback as was asked for, or as there may be. */
    Future<DrawnScreen> screen(Screens screens, String taskId) {
        int lines = start instanceof Start.OfScreen asked ? asked.scrollbackLines() : Limits.SCREEN_HISTORY_LINES;
        return screens.drawn(taskId, lines);
    }
}
