/** Frees disk blocks in the middle of a file; the only package of the artifacts that calls the C library. */
@NullMarked
package io.penstock.engine.artifact.hole;

import org.jspecify.annotations.NullMarked;
