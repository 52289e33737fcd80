/** How failures are reported over HTTP, for all edges. */
@NullMarked
package io.penstock.server.failure;

import org.jspecify.annotations.NullMarked;
