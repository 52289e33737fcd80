/** The short form of the soak, for every build. */
@NullMarked
package io.penstock.bench.soak.log;

import org.jspecify.annotations.NullMarked;
