/** Tests of the event bus from a consumer's view. */
@NullMarked
package io.penstock.engine.bus;

import org.jspecify.annotations.NullMarked;
