/** Attaching to tasks over WebSocket: viewers, their commands, and their presence. */
@NullMarked
package io.penstock.server.ws;

import org.jspecify.annotations.NullMarked;
