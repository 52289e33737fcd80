package io.penstock.server.http;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Frame;
import io.penstock.frames.TaskResourceUsage;
import io.penstock.server.api.ApiOperation;
import io.penstock.server.api.ApiRoutes;
import io.penstock.server.budget.AnswerBudget;
import io.penstock.server.request.HttpLimits;
import io.vertx.core.json.JsonObject;

/** What the processes of a task use, without the rest of its frames. */
final class UsageRoutes {

    private UsageRoutes() {}

    static void bind(ApiRoutes routes, TaskApi tasks, AnswerBudget budget) {
        var usage = new FoundFramesAnswer(budget, "samples", HttpLimits.USAGE_BYTES, tasks::usage, UsageRoutes::sample);
        routes.bind(ApiOperation.TASK_USAGE, usage::send);
    }

    private static JsonObject sample(Frame frame) {
        var usage = (TaskResourceUsage) frame.body();
        return new JsonObject()
                .put("seq", frame.seq())
                .put("timestamp_ms", frame.timestampMs())
                .put("cpu_ms", usage.cpuMs())
                .put("cpu_percent", usage.cpuPercent())
                .put("over_ms", usage.overMs())
                .put("memory_bytes", usage.memoryBytes())
                .put("memory_peak_bytes", usage.memoryPeakBytes())
                .put("processes", usage.processes());
    }
}
