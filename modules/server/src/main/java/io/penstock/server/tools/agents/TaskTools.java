package io.penstock.server.tools.agents;

import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.server.tools.Tool;
import java.util.List;

/** The six tools of the contract. */
public final class TaskTools {

    private TaskTools() {}

    public static List<Tool> of(TaskApi tasks, AgentApi agents, TaskToolSettings settings) {
        return List.of(
                new TaskSpawnTool(tasks, agents, settings),
                TaskStatusTool.status(tasks, System::currentTimeMillis),
                TaskStatusTool.list(tasks, System::currentTimeMillis),
                new TaskJoinTool(tasks),
                new TaskKillTool(tasks),
                new TaskSteerTool(tasks, agents));
    }
}
