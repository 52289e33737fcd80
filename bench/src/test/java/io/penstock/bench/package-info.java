/** Tests of the command line. */
@NullMarked
package io.penstock.bench;

import org.jspecify.annotations.NullMarked;
