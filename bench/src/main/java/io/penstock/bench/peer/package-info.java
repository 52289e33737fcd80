/** The programs that Penstock is measured against, started and ended for a measurement, and what processes use. */
@NullMarked
package io.penstock.bench.peer;

import org.jspecify.annotations.NullMarked;
