/** Idempotency keys: a repeated request runs once and gets the same answer. */
@NullMarked
package io.penstock.engine.log.once;

import org.jspecify.annotations.NullMarked;
