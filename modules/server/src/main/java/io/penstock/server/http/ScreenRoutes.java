package io.penstock.server.http;

import io.penstock.engine.screen.CastFormat;
import io.penstock.engine.screen.ScreenAt;
import io.penstock.engine.screen.ScreenJson;
import io.penstock.engine.screen.Screens;
import io.penstock.engine.screen.terminal.AnsiScreen;
import io.penstock.frames.Limits;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.request.JsonFields;
import io.penstock.server.request.QueryFields;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;

/** What was to be seen on a task's terminal: its screen after any frame, and all of it as a recording. */
final class ScreenRoutes {

    private static final List<String> FORMATS = List.of("json", "ansi", "text");

    private final Screens screens;

    private ScreenRoutes(Screens screens) {
        this.screens = screens;
    }

    static void bind(ApiRoutes routes, Screens screens) {
        var here = new ScreenRoutes(screens);
        routes.bind(ApiOperation.TASK_SCREEN, here::screen).bind(ApiOperation.TASK_RECORDING, here::recording);
    }

    private void screen(RoutingContext request) {
        var query = new QueryFields(request);
        long atSeq = query.number("at_seq", 0, Limits.WHOLE_NUMBER, -1);
        long screenAt = query.number("screen_at", 0, Limits.WHOLE_NUMBER, -1);
        if (atSeq >= 0 && screenAt >= 0) {
            throw JsonFields.wrong("at_seq and screen_at mean the same; leave one of them out");
        }
        String named = query.textOrNull("format");
        String format = named == null ? FORMATS.getFirst() : named;
        if (!FORMATS.contains(format)) {
            throw JsonFields.wrong("format must be one of " + String.join(", ", FORMATS) + ", but is \""
                    + JsonFields.shown(format) + "\"");
        }
        int scrollback = (int) query.number("scrollback", 0, Limits.SCREEN_HISTORY_LINES, Limits.SCREEN_HISTORY_LINES);
        String taskId = TaskRoutes.taskId(request);
        long seq = Math.max(atSeq, screenAt);
        Future<ScreenAt> found = seq < 0 ? screens.now(taskId) : screens.at(taskId, seq);
        // A screen with a long history is some hundred KiB of text: that is work for others than the event loop.
        Future<Buffer> shown = found.compose(at -> request.vertx()
                .executeBlocking(() -> body(at, format, scrollback), false)
                .map(Objects::requireNonNull));
        TaskRoutes.whenDone(
                request,
                shown,
                body -> request.response()
                        .putHeader(
                                "content-type",
                                format.equals("json") ? "application/json" : "text/plain; charset=utf-8")
                        .putHeader(
                                "X-Penstock-Seq", String.valueOf(found.result().seq()))
                        .putHeader("cache-control", "no-store")
                        .putHeader("x-content-type-options", "nosniff")
                        .end(body));
    }

    private static Buffer body(ScreenAt at, String format, int scrollback) {
        ScreenAt shown = new ScreenAt(
                at.taskId(), at.seq(), at.offset(), at.whole(), at.screen().withHistory(scrollback));
        return switch (format) {
            case "ansi" -> Buffer.buffer(AnsiScreen.of(shown.screen()));
            case "text" -> Buffer.buffer(shown.screen().text());
            default -> ScreenJson.of(shown).toBuffer();
        };
    }

    private void recording(RoutingContext request) {
        var query = new QueryFields(request);
        CastFormat format = query.number("version", 2, 3, 3) == 3 ? CastFormat.V3 : CastFormat.V2;
        boolean withInput = query.number("input", 0, 1, 0) == 1;
        String taskId = TaskRoutes.taskId(request);
        TaskRoutes.whenDone(
                request,
                screens.recording(taskId, format, withInput),
                recording -> new CastAnswer(request, taskId, recording).send());
    }
}
