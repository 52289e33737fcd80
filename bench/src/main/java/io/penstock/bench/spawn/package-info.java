/** How many tasks per second start and end over HTTP, compared to other programs that run programs. */
@NullMarked
package io.penstock.bench.spawn;

import org.jspecify.annotations.NullMarked;
