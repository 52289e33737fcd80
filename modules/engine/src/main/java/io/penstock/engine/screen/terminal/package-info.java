/** A terminal without a window: bytes of a program become a screen, and a screen becomes bytes again. Knows no task and no file. */
@NullMarked
package io.penstock.engine.screen.terminal;

import org.jspecify.annotations.NullMarked;
