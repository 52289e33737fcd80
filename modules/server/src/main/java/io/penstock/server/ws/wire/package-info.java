/** The WebSocket subprotocols: what clients send, and how frames, screens and notices are written. */
@NullMarked
package io.penstock.server.ws.wire;

import org.jspecify.annotations.NullMarked;
