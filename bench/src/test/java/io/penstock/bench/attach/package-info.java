/** Short forms of what the soak of viewers does for longer. */
@NullMarked
package io.penstock.bench.attach;

import org.jspecify.annotations.NullMarked;
