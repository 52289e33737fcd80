/** Requests to the addresses of verticles on the event bus, and their answers, by reference. */
@NullMarked
package io.penstock.engine.address;

import org.jspecify.annotations.NullMarked;
