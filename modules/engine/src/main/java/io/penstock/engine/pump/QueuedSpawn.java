package io.penstock.engine.pump;

import io.penstock.engine.task.TaskBudget;
import io.penstock.frames.Budgets;
import io.penstock.frames.Limits;
import io.vertx.core.json.JsonObject;

/**
 * A queued task as its file in the queue describes it. The file has what frames must not contain: values of environment variables.
 *
 * @param arrival the task's number among all that were ever queued, also by earlier servers
 * @param budget what the task may use up, as policy decided when it was spawned
 */
record QueuedSpawn(long arrival, TaskRequest request, TaskBudget budget) {

    QueuedSpawn {
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

    /** Fails with some {@code RuntimeException} where it is not such an object. */
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
