package io.penstock.server.http;

import io.penstock.engine.log.TaskCounts;
import io.penstock.engine.log.TaskCursor;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.pump.TaskPage;
import io.penstock.frames.FailureCode;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.failure.HttpFailure;
import io.penstock.server.request.HttpLimits;
import io.penstock.server.request.QueryFields;
import io.penstock.server.request.RequestFields;
import io.penstock.server.request.TaskJson;
import io.penstock.server.request.TaskListReader;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;

/** The list of tasks over HTTP: its pages, its numbers and its changes. */
final class TaskListRoutes {

    private final TaskApi tasks;
    private final ChangedTasks changes;
    private final AnswerBudget budget;
    private final LastLines lines;

    private TaskListRoutes(TaskApi tasks, ChangedTasks changes, AnswerBudget budget) {
        this.tasks = tasks;
        this.changes = changes;
        this.budget = budget;
        this.lines = new LastLines(tasks);
    }

    static void bind(ApiRoutes routes, TaskApi tasks, ChangedTasks changes, AnswerBudget budget) {
        var here = new TaskListRoutes(tasks, changes, budget);
        routes.bind(ApiOperation.LIST_TASKS, here::list)
                .bind(ApiOperation.COUNT_TASKS, here::count)
                .bind(ApiOperation.TASK_CHANGES, here::follow);
    }

    /** A page and the last line of each of its tasks. */
    private record Listed(TaskPage page, List<String> lastLines) {}

    private void list(RoutingContext request) {
        TaskQuery query = TaskListReader.read(new QueryFields(request));
        LongAnswer.prepare(
                budget,
                request,
                AnswerBudget.Kind.LIST,
                (long) query.limit() * HttpLimits.LISTED_TASK_BYTES,
                () -> tasks.list(query).compose(this::withLastLines),
                (listed, answer) -> {
                    if (listed.page().livingOnly()) {
                        request.response().putHeader("x-penstock-partial", "living-tasks");
                    }
                    TaskCursor next = listed.page().next();
                    if (next != null) {
                        request.response().putHeader("link", "<" + address(request, next) + ">; rel=\"next\"");
                    }
                    answer.json(rows(listed).toBuffer());
                });
    }

    private Future<Listed> withLastLines(TaskPage page) {
        return Future.all(page.tasks().stream().map(lines::of).toList()).map(all -> new Listed(page, all.list()));
    }

    private static JsonArray rows(Listed listed) {
        var rows = new JsonArray();
        for (int i = 0; i < listed.lastLines().size(); i++) {
            rows.add(TaskJson.row(
                    listed.page().tasks().get(i), listed.lastLines().get(i)));
        }
        return rows;
    }

    /** The address of the next page of the same list. */
    private static String address(RoutingContext request, TaskCursor next) {
        var query = new StringJoiner("&", "/tasks?", "");
        request.queryParams().forEach((name, value) -> {
            if (!name.equals("cursor")) {
                query.add(encoded(name) + "=" + encoded(value));
            }
        });
        return query.add("cursor=" + encoded(next.text())).toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void count(RoutingContext request) {
        TaskQuery query = TaskListReader.read(new QueryFields(request));
        TaskRoutes.whenDone(request, tasks.count(query), counts -> TaskRoutes.answer(request, 200, numbers(counts)));
    }

    private static JsonObject numbers(TaskCounts counts) {
        var numbers = new JsonObject().put("all", counts.all());
        TaskListReader.STANDINGS.forEach((word, standing) -> numbers.put(word, counts.of(standing)));
        return numbers.put("truncated", counts.all() >= TaskCounts.MOST);
    }

    private void follow(RoutingContext request) {
        var fields = new QueryFields(request);
        TaskQuery query = TaskListReader.read(fields);
        String until = fields.textOrNull("until");
        if (until != null && !until.equals("next")) {
            throw RequestFields.wrong("until must be next, but is \"" + RequestFields.shown(until) + "\"");
        }
        ChangedTasks.Follower follower = changes.follow(HttpLimits.FEEDS, HttpLimits.FEED_PENDING);
        if (follower == null) {
            throw new HttpFailure(
                    503,
                    FailureCode.QUOTA_EXCEEDED,
                    "This server tells at most " + HttpLimits.FEEDS
                            + " clients at once what changes in their lists; read the list again from time to time");
        }
        TaskFeed.open(request, tasks, lines, query, follower, until != null);
    }
}
