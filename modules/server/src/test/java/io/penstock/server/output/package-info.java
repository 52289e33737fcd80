/** Stored output: kept, removed, missing, large. */
@NullMarked
package io.penstock.server.output;

import org.jspecify.annotations.NullMarked;
