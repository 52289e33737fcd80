/** Measurements of Penstock's parts; each class says which promise it measures. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
