package io.penstock.engine.pump;

import io.penstock.engine.session.Place;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Budgets;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Limits;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a task that waits for its turn needs when that has come, and that its frames do not tell: values of environment variables must
 * not be in them.
 *
 * @param arrival its number among all that came, also to earlier servers
 * @param session whose lane it waits in
 * @param budget what it may use up, as policy said when it came
 */
record QueuedSpawn(
        long arrival,
        @Nullable String session,
        List<String> command,
        Map<String, String> environment,
        @Nullable String cwd,
        ExecutionMode mode,
        TerminalSize size,
        TaskBudget budget) {

    QueuedSpawn {
        if (arrival < 0 || arrival > Limits.WHOLE_NUMBER) {
            throw new IllegalArgumentException("An arrival is 0 to " + Limits.WHOLE_NUMBER + ", not " + arrival);
        }
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    static QueuedSpawn of(TaskRequest request, Place place, TaskBudget budget) {
        return new QueuedSpawn(
                place.arrival(),
                request.originSessionId(),
                request.command(),
                request.environment(),
                request.cwd(),
                request.mode(),
                request.size(),
                budget);
    }

    JsonObject toJson() {
        Budgets budgets = budget.budgets();
        return new JsonObject()
                .put("arrival", arrival)
                .put("session", session)
                .put("command", new JsonArray(command))
                .put("environment", new JsonObject(new LinkedHashMap<>(environment)))
                .put("cwd", cwd)
                .put("mode", mode.name())
                .put("rows", size.rows())
                .put("cols", size.cols())
                .put("timeout_ms", budget.timeoutMs())
                .put("rule", budget.rule())
                .put("time_ms", budgets.timeMs())
                .put("output_bytes", budgets.outputBytes())
                .put("events", budgets.events());
    }

    /** Fails with some {@code RuntimeException} where it is not such an object. */
    static QueuedSpawn read(JsonObject json) {
        JsonObject environment = json.getJsonObject("environment");
        var values = new LinkedHashMap<String, String>();
        environment.fieldNames().forEach(name -> values.put(name, environment.getString(name)));
        return new QueuedSpawn(
                json.getLong("arrival"),
                json.getString("session"),
                json.getJsonArray("command").stream().map(String.class::cast).toList(),
                values,
                json.getString("cwd"),
                ExecutionMode.valueOf(json.getString("mode")),
                new TerminalSize(json.getInteger("rows"), json.getInteger("cols")),
                new TaskBudget(
                        new Budgets(json.getLong("time_ms"), json.getLong("output_bytes"), json.getLong("events")),
                        json.getString("rule"),
                        json.getLong("timeout_ms")));
    }
}
