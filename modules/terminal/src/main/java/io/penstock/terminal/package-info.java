/** A terminal without a window: turns a program's output into a screen as a value. Knows no task and no file. */
@NullMarked
package io.penstock.terminal;

import org.jspecify.annotations.NullMarked;
