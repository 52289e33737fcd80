/** Limits the tasks that run at once, in all and per session, and orders the queue. Knows neither tasks nor programs. */
@NullMarked
package io.penstock.engine.session;

import org.jspecify.annotations.NullMarked;
