/** Measures agents as tasks: what a message costs, how many run at once, and how fast their results are there. */
@NullMarked
package io.penstock.bench.agents;

import org.jspecify.annotations.NullMarked;
