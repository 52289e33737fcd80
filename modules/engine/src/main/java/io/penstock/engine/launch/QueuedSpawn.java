package io.penstock.engine.launch;

import io.penstock.frames.Budgets;
import io.penstock.frames.Limits;
import io.vertx.core.json.JsonObject;

/**
 * The content of a queued task's file. It contains values of environment variables, which frames must not.
 *
 * @param arrival the task's number among all that were ever queued, including those of earlier servers
 * @param budget as policy decided when the task was spawned
 */
public record QueuedSpawn(long arrival, TaskRequest request, TaskBudget budget) {

    public QueuedSpawn {
        if (arrival < 0 || arrival > Limits.WHOLE_NUMBER) {
            throw new IllegalArgumentException("An arrival is 0 to " + Limits.WHOLE_NUMBER + ", not " + arrival);
        }
    }

    JsonObject toJson() {
        Budgets budgets = budget.budgets();
        return TaskRequestJson.write(request)
                .put("arrival", arrival)
                .put("timeout_ms", budget.timeoutMs())
                .put("rule", budget.rule())
                .put("time_ms", budgets.timeMs())
                .put("output_bytes", budgets.outputBytes())
                .put("events", budgets.events());
    }

    /** Throws a {@code RuntimeException} if the object does not describe a queued task. */
    static QueuedSpawn read(JsonObject json) {
        return new QueuedSpawn(
                json.getLong("arrival"),
                TaskRequestJson.read(json),
                new TaskBudget(
                        new Budgets(json.getLong("time_ms"), json.getLong("output_bytes"), json.getLong("events")),
                        json.getString("rule"),
                        json.getLong("timeout_ms")));
    }
}
