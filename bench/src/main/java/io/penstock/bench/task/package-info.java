/** What a running task costs: each piece of its output, a flood of it, and a task that does nothing. */
@NullMarked
package io.penstock.bench.task;

import org.jspecify.annotations.NullMarked;
