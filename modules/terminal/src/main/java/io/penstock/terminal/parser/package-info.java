/** Reads a program's bytes: text, controls and sequences, without interpreting them. */
@NullMarked
package io.penstock.terminal.parser;

import org.jspecify.annotations.NullMarked;
