/** The throughput of the frame log, compared to plain Postgres in the same run. */
@NullMarked
package io.penstock.bench.log;

import org.jspecify.annotations.NullMarked;
