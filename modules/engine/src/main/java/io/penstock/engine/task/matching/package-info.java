/** The watchers of a living task: they match its output in the order of its frames, and record hits. */
@NullMarked
package io.penstock.engine.task.matching;

import org.jspecify.annotations.NullMarked;
