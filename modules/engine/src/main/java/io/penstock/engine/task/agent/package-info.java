/** The agent of an agent task: its turns, what it says and does, and what it asks, on the thread of the task's shard. */
@NullMarked
package io.penstock.engine.task.agent;

import org.jspecify.annotations.NullMarked;
