/** Programs that embed the engine, as docs/event-bus.md shows them. */
@NullMarked
package io.penstock.example;

import org.jspecify.annotations.NullMarked;
