package io.penstock.engine.task.agent;

import io.penstock.engine.agent.AgentProfiles;
import java.nio.file.Path;

/**
 * The services that every agent needs.
 *
 * @param profiles the programs that may be run
 * @param workspace the folder below which agents read and write files through the server
 * @param children starts the tasks of agents that ask for a terminal
 * @param wakes wakes agents at the ends of tasks
 */
public record AgentServices(AgentProfiles profiles, Path workspace, ChildTasks children, Wakes wakes) {}
