/** Attaching to tasks over WebSocket: watching them from any place on, and driving them, together with others. */
@NullMarked
package io.penstock.server.ws;

import org.jspecify.annotations.NullMarked;
