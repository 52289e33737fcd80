/** How much runs at once, in all and for each session, and in which order the rest waits. Knows neither tasks nor programs. */
@NullMarked
package io.penstock.engine.session;

import org.jspecify.annotations.NullMarked;
