package io.penstock.server.tools.shell;

import io.penstock.engine.pump.TaskApi;
import io.penstock.engine.session.SessionApi;
import io.penstock.server.tools.ArtifactFetchTool;
import io.penstock.server.tools.ArtifactStoreTool;
import io.penstock.server.tools.ToolCatalog;
import io.vertx.core.Vertx;
import java.util.List;

/** The tools of a server. */
public final class ServerTools {

    private ServerTools() {}

    public static ToolCatalog of(Vertx vertx, TaskApi tasks, SessionApi sessions) {
        return new ToolCatalog(
                List.of(new ShellTool(vertx, tasks), new ArtifactFetchTool(vertx, tasks), new ArtifactStoreTool(tasks)),
                sessions);
    }
}
