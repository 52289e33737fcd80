/** Codecs of the event bus: messages of the engine are immutable and handed over by reference. */
@NullMarked
package io.penstock.engine.codec;

import org.jspecify.annotations.NullMarked;
