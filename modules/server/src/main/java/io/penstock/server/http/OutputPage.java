package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.view.OutputSlice;
import io.penstock.frames.Channel;
import io.penstock.frames.TaskState;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.TaskJson;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;

/**
 * A page of a task's output as JSON. It is read and written in parts, each when the connection has room for it, so that a page for a slow
 * client holds one part in memory, not the whole page.
 */
final class OutputPage {

    /** One read of a file takes some ten microseconds; its JSON is at most six times as long. */
    static final int READ_BYTES = 16 * 1024;

    private final TaskApi tasks;
    private final String taskId;
    private final TaskState known;
    private final Channel channel;
    private final long limit;

    /** @param limit the offset at which the page ends at the latest */
    OutputPage(TaskApi tasks, String taskId, TaskState known, Channel channel, long limit) {
        this.tasks = tasks;
        this.taskId = taskId;
        this.known = known;
        this.channel = channel;
        this.limit = limit;
    }

    Future<OutputSlice> read(long offset) {
        return tasks.output(taskId, known, channel, offset, (int) Math.min(READ_BYTES, limit - offset));
    }

    /** @param first part of the page */
    void answer(OutputSlice first, LongAnswer answer) {
        long end = end(first);
        if (first.text().length() == 0 || end >= limit || end >= first.storedBytes()) {
            answer.json(TaskJson.output(taskId, first).toBuffer());
        } else {
            answer.jsonPieces(new Parts(first)::next, (long) READ_BYTES * HttpLimits.OUTPUT_JSON_FACTOR);
        }
    }

    private static long end(OutputSlice slice) {
        return slice.text().offset() + slice.text().length();
    }

    private final class Parts {

        private final OutputSlice first;
        private long end;
        private boolean over;

        Parts(OutputSlice first) {
            this.first = first;
            this.end = first.text().offset();
        }

        Future<Buffer> next() {
            if (over) {
                return Future.succeededFuture(Buffer.buffer());
            }
            if (end == first.text().offset()) {
                Buffer head = TaskJson.outputHead(taskId, first).toBuffer();
                return Future.succeededFuture(head.slice(0, head.length() - 1)
                        .copy()
                        .appendString(",\"content\":\"")
                        .appendBuffer(text(first)));
            }
            if (end >= limit) {
                return Future.succeededFuture(last());
            }
            // The page ends before bytes that cannot be read; the request for the next page gets the error.
            return read(end)
                    .transform(read -> Future.succeededFuture(
                            read.succeeded() && goesOn(read.result()) ? text(read.result()) : last()));
        }

        /** A character that ends beyond the page is left for the next one. */
        private boolean goesOn(OutputSlice part) {
            return part.text().length() > 0 && part.text().offset() == end && end(part) <= limit;
        }

        private Buffer text(OutputSlice part) {
            end = end(part);
            Buffer quoted = Json.encodeToBuffer(part.text().text());
            return quoted.slice(1, quoted.length() - 1);
        }

        private Buffer last() {
            over = true;
            Buffer tail = TaskJson.outputTail(first, end).toBuffer();
            return Buffer.buffer("\",").appendBuffer(tail.slice(1, tail.length()));
        }
    }
}
