package io.penstock.engine.address;

import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way, with the promise of its answer, which the service completes on its own thread. A reply over the bus would take
 * another turn of the caller's event loop, and output that a command causes could overtake the command's answer.
 */
record Call(Request<?, ?> request, Promise<@Nullable Object> answer) {}
