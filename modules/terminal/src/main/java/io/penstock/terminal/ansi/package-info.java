/** Writes a screen as the bytes that draw it on another terminal. */
@NullMarked
package io.penstock.terminal.ansi;

import org.jspecify.annotations.NullMarked;
