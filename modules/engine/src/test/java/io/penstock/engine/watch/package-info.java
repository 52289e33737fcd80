/** Tests of watchers. */
@NullMarked
package io.penstock.engine.watch;

import org.jspecify.annotations.NullMarked;
