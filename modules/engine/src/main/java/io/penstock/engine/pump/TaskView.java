package io.penstock.engine.pump;

import io.penstock.frames.TaskState;

/** A task as it is now. */
public record TaskView(String taskId, TaskState state) {}
