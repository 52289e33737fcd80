/** The engine on the event bus, as its consumers see it. */
@NullMarked
package io.penstock.engine.bus;

import org.jspecify.annotations.NullMarked;
