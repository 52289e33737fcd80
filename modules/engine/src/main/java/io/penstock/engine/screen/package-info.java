/** The screens of tasks that have a terminal, after any of their frames, and recordings of them. */
@NullMarked
package io.penstock.engine.screen;

import org.jspecify.annotations.NullMarked;
