package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.screen.CastFormat;
import io.penstock.engine.screen.ScreenJson;
import io.penstock.engine.screen.ScreenSnapshot;
import io.penstock.engine.screen.Screens;
import io.penstock.frames.Limits;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.budget.ScreenMemory;
import io.penstock.server.request.AnswerHeaders;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.penstock.terminal.ansi.AnsiScreen;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task's terminal: its screen after any frame, and its recording. */
final class ScreenRoutes {

    private static final List<String> FORMATS = List.of("json", "ansi", "text");

    private final TaskApi tasks;
    private final Screens screens;
    private final AnswerBudget budget;

    private ScreenRoutes(TaskApi tasks, Screens screens, AnswerBudget budget) {
        this.tasks = tasks;
        this.budget = budget;
        this.screens = screens;
    }

    static void bind(ApiRoutes routes, TaskApi tasks, Screens screens, AnswerBudget budget) {
        var here = new ScreenRoutes(tasks, screens, budget);
        routes.bind(ApiOperation.TASK_SCREEN, here::screen).bind(ApiOperation.TASK_RECORDING, here::recording);
    }

    private void screen(RoutingContext request) {
        var query = new QueryFields(request);
        long atSeq = query.number("at_seq", 0, Limits.WHOLE_NUMBER, -1);
        long screenAt = query.number("screen_at", 0, Limits.WHOLE_NUMBER, -1);
        if (atSeq >= 0 && screenAt >= 0) {
            throw RequestFields.wrong("at_seq and screen_at mean the same; leave one of them out");
        }
        String named = query.textOrNull("format");
        String format = named == null ? FORMATS.getFirst() : named;
        if (!FORMATS.contains(format)) {
            throw RequestFields.wrong("format must be one of " + String.join(", ", FORMATS) + ", but is \""
                    + RequestFields.shown(format) + "\"");
        }
        int scrollback = (int) query.number("scrollback", 0, Limits.SCREEN_HISTORY_LINES, Limits.SCREEN_HISTORY_LINES);
        String taskId = TaskRoutes.taskId(request);
        long seq = Math.max(atSeq, screenAt);
        TaskRoutes.whenDone(
                request,
                tasks.state(taskId),
                state -> LongAnswer.prepare(
                        budget,
                        request,
                        AnswerBudget.Kind.SCREEN,
                        ScreenMemory.most(state),
                        () -> (seq < 0
                                        ? screens.now(taskId, request.response()::closed)
                                        : screens.at(taskId, seq, request.response()::closed))
                                .compose(at -> shown(request, at, format, scrollback)),
                        (shown, answer) -> answer(request, shown, format, answer)));
    }

    /** @param text in the requested format; null for JSON, which is made while it is written */
    private record Shown(ScreenSnapshot at, @Nullable Buffer text) {}

    private static Future<Shown> shown(RoutingContext request, ScreenSnapshot at, String format, int scrollback) {
        ScreenSnapshot shown = new ScreenSnapshot(
                at.taskId(), at.seq(), at.offset(), at.whole(), at.screen().withHistory(scrollback));
        // A screen with a long history is some hundred KiB of text, too much work for the event loop.
        return switch (format) {
            case "ansi" ->
                request.vertx()
                        .executeBlocking(() -> new Shown(shown, Buffer.buffer(AnsiScreen.of(shown.screen()))), false)
                        .map(Objects::requireNonNull);
            case "text" ->
                Future.succeededFuture(
                        new Shown(shown, Buffer.buffer(shown.screen().text())));
            default -> Future.succeededFuture(new Shown(shown, null));
        };
    }

    private static void answer(RoutingContext request, Shown shown, String format, LongAnswer answer) {
        AnswerHeaders.momentary(
                        request.response(), format.equals("json") ? "application/json" : "text/plain; charset=utf-8")
                .putHeader("X-Penstock-Seq", String.valueOf(shown.at().seq()));
        Buffer text = shown.text();
        if (text == null) {
            answer.write(ScreenJson.pieces(shown.at()), shown.at().screen().bytes());
        } else {
            answer.whole(text);
        }
    }

    private void recording(RoutingContext request) {
        var query = new QueryFields(request);
        CastFormat format = query.number("version", 2, 3, 3) == 3 ? CastFormat.V3 : CastFormat.V2;
        boolean withInput = query.number("input", 0, 1, 0) == 1;
        String taskId = TaskRoutes.taskId(request);
        LongAnswer.prepare(
                budget,
                request,
                AnswerBudget.Kind.RECORDING,
                HttpLimits.RECORDING_BYTES,
                () -> screens.recording(taskId, format, withInput),
                (recording, answer) -> {
                    AnswerHeaders.momentary(request.response(), "application/x-asciicast")
                            .putHeader(
                                    "content-disposition",
                                    "attachment; filename=\"" + taskId.replaceAll("[^A-Za-z0-9._-]", "_") + ".cast\"");
                    answer.pieces(recording::next, HttpLimits.RECORDING_BYTES);
                });
    }
}
