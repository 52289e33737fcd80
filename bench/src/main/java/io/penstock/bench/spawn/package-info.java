/** How many tasks a second are begun and ended over HTTP, beside others that run programs. */
@NullMarked
package io.penstock.bench.spawn;

import org.jspecify.annotations.NullMarked;
