/** Attaching to a task over WebSocket, with a whole server. */
@NullMarked
package io.penstock.server.attach;

import org.jspecify.annotations.NullMarked;
