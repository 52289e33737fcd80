/** A living task: its start, its output, its controls and its end, on the thread of its shard. */
@NullMarked
package io.penstock.engine.task;

import org.jspecify.annotations.NullMarked;
