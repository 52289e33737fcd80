/** The cost of running tasks: a piece of output, a flood of it, and an idle task. */
@NullMarked
package io.penstock.bench.task;

import org.jspecify.annotations.NullMarked;
