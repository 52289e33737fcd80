/** Attaching to tasks over WebSocket: viewers, their commands, and the viewers beside them. */
@NullMarked
package io.penstock.server.ws;

import org.jspecify.annotations.NullMarked;
