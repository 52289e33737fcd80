/** Requests to the addresses of verticles on the event bus, and their answers; all messages are immutable and handed over by reference. */
@NullMarked
package io.penstock.engine.address;

import org.jspecify.annotations.NullMarked;
