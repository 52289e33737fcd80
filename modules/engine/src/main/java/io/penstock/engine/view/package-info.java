/** Shows a task's frames and output to viewers: history, then live, in the order of the stream. */
@NullMarked
package io.penstock.engine.view;

import org.jspecify.annotations.NullMarked;
