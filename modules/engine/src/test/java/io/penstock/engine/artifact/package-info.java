/** Tests of the artifact store, on real files. */
@NullMarked
package io.penstock.engine.artifact;

import org.jspecify.annotations.NullMarked;
