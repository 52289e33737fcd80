/** The cells of a terminal: lines, styles, character sets, tab stops, and how they move and are resized. */
@NullMarked
package io.penstock.terminal.grid;

import org.jspecify.annotations.NullMarked;
