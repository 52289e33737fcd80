package io.penstock.server.tools.shell;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.SessionApi;
import io.penstock.server.tools.ArtifactFetchTool;
import io.penstock.server.tools.ArtifactStoreTool;
import io.penstock.server.tools.Tool;
import io.penstock.server.tools.ToolCatalog;
import io.penstock.server.tools.agents.TaskToolSettings;
import io.penstock.server.tools.agents.TaskTools;
import io.penstock.server.tools.background.BackgroundTools;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/** The tools of a server. */
public final class ServerTools {

    private ServerTools() {}

    public static ToolCatalog of(
            Vertx vertx, TaskApi tasks, AgentApi agents, SessionApi sessions, TaskToolSettings settings) {
        var tools = new ArrayList<Tool>(List.of(
                new ShellTool(vertx, tasks), new ArtifactFetchTool(vertx, tasks), new ArtifactStoreTool(tasks)));
        if (settings.enabled()) {
            tools.addAll(TaskTools.of(tasks, agents, settings));
            tools.addAll(BackgroundTools.of(vertx, tasks, agents, settings));
        }
        return new ToolCatalog(tools, sessions);
    }
}
