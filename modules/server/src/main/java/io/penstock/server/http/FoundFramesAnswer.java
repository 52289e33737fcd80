package io.penstock.server.http;

import io.penstock.engine.pump.FoundFrames;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.QueryFields;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Function;

/**
 * An answer with the frames of one kind of a task, from a frame on, page by page.
 *
 * @param field the name of the list in the answer
 * @param bytes the memory of a page, including its JSON
 * @param json an item of the list
 */
record FoundFramesAnswer(
        AnswerBudget budget, String field, int bytes, Search search, Function<Frame, JsonObject> json) {

    /** Finds the frames. */
    interface Search {
        Future<FoundFrames> from(String taskId, long fromSeq);
    }

    void send(RoutingContext request) {
        long fromSeq = new QueryFields(request).number("from_seq", 0, Limits.WHOLE_NUMBER, 0);
        String taskId = TaskRoutes.taskId(request);
        LongAnswer.prepare(
                budget,
                request,
                AnswerBudget.Kind.LIST,
                bytes,
                () -> search.from(taskId, fromSeq),
                (page, answer) -> answer.json(json(taskId, page).toBuffer()));
    }

    private JsonObject json(String taskId, FoundFrames page) {
        var items = new JsonArray();
        page.frames().forEach(frame -> items.add(json.apply(frame)));
        return new JsonObject().put("task_id", taskId).put(field, items).put("next_seq", page.nextSeq());
    }
}
