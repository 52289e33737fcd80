/** Cuts bytes into lines, for every protocol of one JSON object per line. */
@NullMarked
package io.penstock.engine.lines;

import org.jspecify.annotations.NullMarked;
