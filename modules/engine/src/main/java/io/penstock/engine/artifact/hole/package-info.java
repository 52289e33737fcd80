/** Blocks and inodes of the disk that only the C library can free or count; the only package of the artifacts that calls it. */
@NullMarked
package io.penstock.engine.artifact.hole;

import org.jspecify.annotations.NullMarked;
