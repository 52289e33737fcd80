/** The files of the artifact store: where they are, how they are written, and the room on their disk. */
@NullMarked
package io.penstock.engine.artifact.file;

import org.jspecify.annotations.NullMarked;
