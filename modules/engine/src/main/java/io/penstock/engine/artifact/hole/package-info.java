/** Gives the disk back what is in the middle of a file; the one place of the artifacts that calls the C library. */
@NullMarked
package io.penstock.engine.artifact.hole;

import org.jspecify.annotations.NullMarked;
