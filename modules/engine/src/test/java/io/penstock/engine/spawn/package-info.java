/** Tests of starting programs, one contract for all spawners. */
@NullMarked
package io.penstock.engine.spawn;

import org.jspecify.annotations.NullMarked;
