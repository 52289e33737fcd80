/** Short runs of the fuzzers. */
@NullMarked
package io.penstock.bench.rpc;

import org.jspecify.annotations.NullMarked;
