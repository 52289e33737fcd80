/** Short forms of the soak of viewers. */
@NullMarked
package io.penstock.bench.attach;

import org.jspecify.annotations.NullMarked;
