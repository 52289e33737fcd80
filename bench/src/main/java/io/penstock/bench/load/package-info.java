/** Load on a server over HTTP, with its latencies and a check of every stream: {@code ./penstock load}. */
@NullMarked
package io.penstock.bench.load;

import org.jspecify.annotations.NullMarked;
