/** The tools by which an agent runs other agents and commands: {@code task_spawn}, {@code task_join} and the others. */
@NullMarked
package io.penstock.server.tools.agents;

import org.jspecify.annotations.NullMarked;
