/** The sample agent as a program, on real pipes. */
@NullMarked
package io.penstock.sample;

import org.jspecify.annotations.NullMarked;
