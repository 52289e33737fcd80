/** Short runs of the fuzzers. */
@NullMarked
package io.penstock.bench.fuzz;

import org.jspecify.annotations.NullMarked;
