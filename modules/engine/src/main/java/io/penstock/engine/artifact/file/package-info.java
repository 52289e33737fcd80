/** The files of the artifact store: their places, how they are written, and the space on their disk. */
@NullMarked
package io.penstock.engine.artifact.file;

import org.jspecify.annotations.NullMarked;
