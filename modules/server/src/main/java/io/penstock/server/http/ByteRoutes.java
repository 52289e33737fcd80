package io.penstock.server.http;

import io.penstock.engine.artifact.LineRange;
import io.penstock.engine.artifact.RecordedBytes;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.Screens;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.request.LineSpan;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Outputs as bytes: of a task, for display, and of an artifact, for download. */
final class ByteRoutes {

    private final TaskApi tasks;
    private final Screens screens;
    private final Actor actor;

    private ByteRoutes(TaskApi tasks, Screens screens, Actor actor) {
        this.tasks = tasks;
        this.screens = screens;
        this.actor = actor;
    }

    /** @param actor recorded with deletions */
    static void bind(ApiRoutes routes, TaskApi tasks, Screens screens, Actor actor) {
        var here = new ByteRoutes(tasks, screens, actor);
        routes.bind(ApiOperation.OUTPUT_BYTES, here::output)
                .bind(ApiOperation.OUTPUT_BYTES_HEAD, here::output)
                .bind(ApiOperation.DELETE_OUTPUT, here::delete)
                .bind(ApiOperation.REMOVE_TASK, here::removeTask)
                .bind(ApiOperation.ARTIFACT_BYTES, here::artifact)
                .bind(ApiOperation.ARTIFACT_BYTES_HEAD, here::artifact);
    }

    private static Channel channel(RoutingContext request) {
        return TaskReads.channel(Objects.requireNonNull(request.pathParam("stream")));
    }

    private void delete(RoutingContext request) {
        String taskId = TaskRoutes.taskId(request);
        // Even if the client has disconnected.
        Future<Void> deleted =
                tasks.deleteOutput(taskId, channel(request), actor).onSuccess(done -> screens.forget(taskId));
        TaskRoutes.whenDone(
                request, deleted, done -> request.response().setStatusCode(204).end());
    }

    private void removeTask(RoutingContext request) {
        String taskId = TaskRoutes.taskId(request);
        // Even if the client has disconnected.
        Future<Void> removed = tasks.remove(taskId, actor).onSuccess(done -> screens.forget(taskId));
        TaskRoutes.whenDone(
                request, removed, done -> request.response().setStatusCode(204).end());
    }

    private void output(RoutingContext request) {
        Channel channel = channel(request);
        // As text: with nosniff, browsers show it and run nothing.
        answer(request, tasks.bytes(TaskRoutes.taskId(request), channel), "text/plain; charset=utf-8", null);
    }

    private void artifact(RoutingContext request) {
        String id = Objects.requireNonNull(request.pathParam("id"));
        // The only character of ids that some file systems do not allow.
        String file = id.replaceAll("[^A-Za-z0-9._-]", "_") + ".log";
        answer(request, tasks.artifact(id), "application/octet-stream", "attachment; filename=\"" + file + "\"");
    }

    private static void answer(
            RoutingContext request, Future<RecordedBytes> found, String type, @Nullable String disposition) {
        LineSpan lines = lines(request);
        boolean kept = kept(request) || byDigest(request);
        if (kept && lines != null) {
            throw RequestFields.wrong("kept and lines do not go together; leave one of them out");
        }
        Future<Selection> selected = found.compose(bytes -> lines == null
                ? Future.succeededFuture(kept ? Selection.kept(bytes) : Selection.all(bytes))
                : request.vertx().executeBlocking(() -> select(bytes, lines)));
        TaskRoutes.whenDone(
                request, selected, selection -> new ByteAnswer(request, selection, type, disposition).send());
    }

    private static boolean kept(RoutingContext request) {
        return new QueryFields(request).number("kept", 0, 1, 0) == 1;
    }

    /** A digest covers only the kept bytes. */
    private static boolean byDigest(RoutingContext request) {
        return Objects.requireNonNull(request.pathParam("id")).startsWith("sha256:")
                && new QueryFields(request).textOrNull("lines") == null;
    }

    private static @Nullable LineSpan lines(RoutingContext request) {
        String text = new QueryFields(request).textOrNull("lines");
        return text == null ? null : LineSpan.parse("lines", text);
    }

    private static Selection select(RecordedBytes bytes, LineSpan lines) throws IOException {
        LineRange range = bytes.lines(lines.first(), lines.last());
        return Selection.lines(bytes, range);
    }
}
