/** Measurements, load and soaks, each run by its name: {@code ./penstock bench}, {@code load} and {@code soak}. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
