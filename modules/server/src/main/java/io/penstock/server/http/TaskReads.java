package io.penstock.server.http;

import io.penstock.engine.pump.StateWait;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskView;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.frames.Channel;
import io.penstock.frames.Limits;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.TaskJson;
import io.penstock.server.request.Words;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Reads of tasks over HTTP: states, events and outputs; the list is in {@link TaskListRoutes}. */
final class TaskReads {

    private final TaskApi tasks;
    private final AnswerBudget budget;

    private TaskReads(TaskApi tasks, AnswerBudget budget) {
        this.tasks = tasks;
        this.budget = budget;
    }

    static void bind(ApiRoutes routes, TaskApi tasks, AnswerBudget budget) {
        var here = new TaskReads(tasks, budget);
        routes.bind(ApiOperation.TASK_STATUS, here::status)
                .bind(ApiOperation.TASK_EVENTS, here::events)
                .bind(ApiOperation.TASK_OUTPUT, here::output);
    }

    private void status(RoutingContext request) {
        var query = new QueryFields(request);
        long waitMs = query.number("wait", 0, HttpLimits.WAIT_MS, 0);
        long atSeq = query.number("at_seq", 0, Limits.WHOLE_NUMBER, -1);
        if (atSeq >= 0 && waitMs > 0) {
            throw RequestFields.wrong("wait and at_seq do not go together: what was after frame " + atSeq
                    + " does not change; leave one of them out");
        }
        String taskId = TaskRoutes.taskId(request);
        if (atSeq >= 0) {
            TaskRoutes.whenDone(request, tasks.stateAt(taskId, atSeq), then -> answer(request, taskId, then));
            return;
        }
        awaitState(request, taskId, TaskReads::isOver, waitMs, state -> answer(request, taskId, state));
    }

    /** A request waits only while its client does. */
    private void awaitState(
            RoutingContext request, String taskId, Predicate<TaskState> enough, long waitMs, Consumer<TaskState> then) {
        StateWait wait = tasks.awaitState(taskId, enough, waitMs);
        request.addEndHandler(gone -> wait.cancel());
        TaskRoutes.whenDone(request, wait.state(), then);
    }

    private static void answer(RoutingContext request, String taskId, TaskState state) {
        TaskRoutes.answer(request, 200, TaskJson.status(TaskView.of(taskId, state)));
    }

    private static boolean isOver(TaskState state) {
        return state.run().ending() != null;
    }

    private void events(RoutingContext request) {
        var query = new QueryFields(request);
        long fromSeq = query.fromSeq();
        InlineText inline = query.inlineText();
        String until = query.textOrNull("until");
        if (until != null && !until.equals("end")) {
            throw RequestFields.wrong("until must be end, but is \"" + RequestFields.shown(until) + "\"");
        }
        String taskId = TaskRoutes.taskId(request);
        TaskRoutes.whenDone(
                request,
                tasks.state(taskId),
                state -> EventStream.open(
                        request, tasks, new FollowRange(taskId, state, fromSeq, until != null), inline));
    }

    /** The range of an output that a request names. */
    private record Piece(RoutingContext request, String taskId, Channel channel, long offset, int most) {}

    private void output(RoutingContext request) {
        var query = new QueryFields(request);
        String stream = query.textOrNull("stream");
        Channel named = stream == null ? null : channel(stream);
        long offset = query.number("offset_bytes", 0, Limits.WHOLE_NUMBER, 0);
        long asked = query.number("max_bytes", 1, Limits.WHOLE_NUMBER, HttpLimits.OUTPUT_USUAL_BYTES);
        int most = (int) Math.min(asked, HttpLimits.OUTPUT_PAGE_BYTES);
        long upNanos = System.nanoTime() + query.number("wait", 0, HttpLimits.WAIT_MS, 0) * 1_000_000;
        String taskId = TaskRoutes.taskId(request);
        TaskRoutes.whenDone(request, tasks.state(taskId), state -> {
            var piece = new Piece(request, taskId, named == null ? usual(state) : named, offset, most);
            page(piece, state, upNanos);
        });
    }

    /**
     * Waits for text to read, for the end of the output, or until the time is up. Stored bytes may not be enough, because a character may
     * be incomplete. A waiting request takes no memory of the budget.
     */
    private void page(Piece piece, TaskState known, long upNanos) {
        var page = new OutputPage(tasks, piece.taskId(), known, piece.channel(), piece.offset() + piece.most());
        LongAnswer.prepare(
                budget,
                piece.request(),
                AnswerBudget.Kind.OUTPUT,
                (long) Math.min(piece.most(), OutputPage.READ_BYTES) * HttpLimits.OUTPUT_JSON_FACTOR,
                () -> page.read(piece.offset()),
                (slice, answer) -> {
                    long leftMs = (upNanos - System.nanoTime()) / 1_000_000;
                    if (slice.text().length() > 0 || isOver(known) || leftMs <= 0) {
                        page.answer(slice, answer);
                    } else {
                        answer.share().giveBack();
                        await(piece, known, leftMs, upNanos);
                    }
                });
    }

    private void await(Piece piece, TaskState known, long leftMs, long upNanos) {
        long seen = Math.max(known.output().stored(piece.channel()), piece.offset());
        awaitState(
                piece.request(),
                piece.taskId(),
                state -> state.output().stored(piece.channel()) > seen || isOver(state),
                leftMs,
                state -> page(piece, state, upNanos));
    }

    private static Channel usual(TaskState state) {
        ToolTaskSpawned spec = state.spec();
        return spec == null ? Channel.STDOUT : spec.executionMode().channels().getFirst();
    }

    static Channel channel(String word) {
        return Words.parse(Channel.class, Channel::wireName, "stream", word);
    }
}
