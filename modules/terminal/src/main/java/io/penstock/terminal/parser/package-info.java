/** Reads a program's bytes: text, controls and sequences, whatever they mean. */
@NullMarked
package io.penstock.terminal.parser;

import org.jspecify.annotations.NullMarked;
