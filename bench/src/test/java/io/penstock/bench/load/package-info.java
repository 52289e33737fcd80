/** Tests of the load, with its short form on a real server. */
@NullMarked
package io.penstock.bench.load;

import org.jspecify.annotations.NullMarked;
