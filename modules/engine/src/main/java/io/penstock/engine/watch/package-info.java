/** Finds patterns in output while it is written. Knows neither tasks nor streams of frames. */
@NullMarked
package io.penstock.engine.watch;

import org.jspecify.annotations.NullMarked;
