/** Random requests and messages of a hostile client, and checks of the server's answers. */
@NullMarked
package io.penstock.bench.fuzz;

import org.jspecify.annotations.NullMarked;
