package io.penstock.server.http;

import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.pump.RecordedBytes;
import io.penstock.engine.pump.TaskApi;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.request.JsonFields;
import io.penstock.server.request.QueryFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where outputs are had as the bytes they are: as a task's, to look at, and as an artifact, to keep. */
final class ByteRoutes {

    private static final Pattern LINES = Pattern.compile("([0-9]{1,15})-([0-9]{1,15})?");

    private final TaskApi tasks;

    private ByteRoutes(TaskApi tasks) {
        this.tasks = tasks;
    }

    static void bind(ApiRoutes routes, TaskApi tasks) {
        var here = new ByteRoutes(tasks);
        routes.bind(ApiOperation.OUTPUT_BYTES, here::output)
                .bind(ApiOperation.OUTPUT_BYTES_HEAD, here::output)
                .bind(ApiOperation.ARTIFACT_BYTES, here::artifact)
                .bind(ApiOperation.ARTIFACT_BYTES_HEAD, here::artifact);
    }

    private void output(RoutingContext request) {
        var channel = TaskReads.channel(Objects.requireNonNull(request.pathParam("stream")));
        // As text, which a browser shows and runs nothing of, being told not to guess.
        answer(request, tasks.bytes(TaskRoutes.taskId(request), channel), "text/plain; charset=utf-8", null);
    }

    private void artifact(RoutingContext request) {
        String id = Objects.requireNonNull(request.pathParam("id"));
        // An id has no other characters that a file's name may not have somewhere.
        String file = id.replaceAll("[^A-Za-z0-9._-]", "_") + ".log";
        answer(request, tasks.artifact(id), "application/octet-stream", "attachment; filename=\"" + file + "\"");
    }

    private static void answer(
            RoutingContext request, Future<RecordedBytes> found, String type, @Nullable String disposition) {
        Matcher lines = lines(request);
        Future<Selection> selected = found.compose(bytes -> lines == null
                ? Future.succeededFuture(Selection.all(bytes))
                : request.vertx().executeBlocking(() -> select(bytes, lines)));
        TaskRoutes.whenDone(
                request, selected, selection -> new ByteAnswer(request, selection, type, disposition).send());
    }

    private static @Nullable Matcher lines(RoutingContext request) {
        String text = new QueryFields(request).textOrNull("lines");
        if (text == null) {
            return null;
        }
        Matcher lines = LINES.matcher(text);
        if (!lines.matches() || first(lines) < 1 || last(lines) < first(lines)) {
            throw JsonFields.wrong("lines must be FIRST-LAST or FIRST-, counted from 1, such as 1-100, but is \""
                    + JsonFields.shown(text) + "\"");
        }
        return lines;
    }

    private static long first(Matcher lines) {
        return Long.parseLong(lines.group(1));
    }

    private static long last(Matcher lines) {
        String last = lines.group(2);
        return last == null ? Long.MAX_VALUE : Long.parseLong(last);
    }

    private static Selection select(RecordedBytes bytes, Matcher lines) throws IOException {
        LineRange range = bytes.lines(first(lines), last(lines));
        return Selection.lines(bytes, range);
    }
}
