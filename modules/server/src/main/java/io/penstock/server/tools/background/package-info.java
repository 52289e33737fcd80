/** The tools {@code background_task}, {@code background_output} and the others: agents in the background, in batches, and resumed. */
@NullMarked
package io.penstock.server.tools.background;

import org.jspecify.annotations.NullMarked;
