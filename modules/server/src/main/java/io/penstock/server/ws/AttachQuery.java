package io.penstock.server.ws;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.server.request.JsonFields;
import io.penstock.server.request.QueryFields;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Where a viewer joins, and what it may do.
 *
 * @param client by which it is known again when it comes back; null if it does not care
 */
record AttachQuery(Start start, boolean controls, @Nullable String client) {

    /** The place from which on a viewer sees frames. */
    sealed interface Start {
        record FromSeq(long seq) implements Start {}

        record TailFrames(long frames) implements Start {}

        record TailBytes(long bytes) implements Start {}
    }

    static AttachQuery read(QueryFields query) {
        return new AttachQuery(start(query), controls(query.textOrNull("rights")), client(query.textOrNull("client")));
    }

    private static Start start(QueryFields query) {
        long fromSeq = query.number("from_seq", 0, Limits.WHOLE_NUMBER, -1);
        long frames = query.number("tail", 0, Limits.WHOLE_NUMBER, -1);
        long bytes = query.number("tail_bytes", 0, WsLimits.TAIL_BYTES, -1);
        if ((fromSeq < 0 ? 0 : 1) + (frames < 0 ? 0 : 1) + (bytes < 0 ? 0 : 1) > 1) {
            throw JsonFields.wrong("from_seq, tail and tail_bytes each say where to begin; give one of them");
        }
        return frames >= 0
                ? new Start.TailFrames(frames)
                : bytes >= 0 ? new Start.TailBytes(bytes) : new Start.FromSeq(Math.max(0, fromSeq));
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

    /** The first frame to show. */
    Future<Long> firstSeq(TaskApi tasks, String taskId, TaskState known) {
        return switch (start) {
            case Start.FromSeq from -> Future.succeededFuture(from.seq());
            case Start.TailFrames tail -> Future.succeededFuture(Math.max(0, known.nextSeq() - tail.frames()));
            case Start.TailBytes tail -> tasks.lastBytes(taskId, known, tail.bytes());
        };
    }
}
