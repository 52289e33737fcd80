/**
 * The programs that Penstock is compared to, started and stopped for a measurement, and the processor time of
 * processes.
 */
@NullMarked
package io.penstock.bench.peer;

import org.jspecify.annotations.NullMarked;
