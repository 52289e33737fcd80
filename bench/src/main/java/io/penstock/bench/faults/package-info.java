/** Faults of every kind under load, then a check of what docs/operations.md promises to survive. */
@NullMarked
package io.penstock.bench.faults;

import org.jspecify.annotations.NullMarked;
