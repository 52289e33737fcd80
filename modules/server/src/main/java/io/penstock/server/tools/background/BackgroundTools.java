package io.penstock.server.tools.background;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.vertx.core.Vertx;
import java.util.List;

/** The five tools of the contract. */
public final class BackgroundTools {

    private BackgroundTools() {}

    public static List<Tool> of(Vertx vertx, TaskApi tasks, AgentApi agents, TaskToolSettings settings) {
        var reports = new BackgroundReports(tasks, new Retrievals(tasks, agents), System::currentTimeMillis);
        return List.of(
                new BackgroundTaskTool(vertx, tasks, agents, settings),
                new BackgroundOutputTool(tasks, agents, reports),
                new BackgroundCancelTool(tasks),
                new BackgroundListTool(tasks, reports),
                new BackgroundClearTool(tasks, agents));
    }
}
