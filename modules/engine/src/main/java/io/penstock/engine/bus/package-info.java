/** The engine on the event bus: all addresses, messages and codecs, for verticles of the same JVM. */
@NullMarked
package io.penstock.engine.bus;

import org.jspecify.annotations.NullMarked;
