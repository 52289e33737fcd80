/** Starting programs: the request, the failures, and the running program, independent of the spawner. */
@NullMarked
package io.penstock.engine.spawn;

import org.jspecify.annotations.NullMarked;
