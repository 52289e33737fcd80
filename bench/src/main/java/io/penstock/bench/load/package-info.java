/** Load on a server over HTTP, with the latencies it gives and a check of every stream: {@code ./penstock load}. */
@NullMarked
package io.penstock.bench.load;

import org.jspecify.annotations.NullMarked;
