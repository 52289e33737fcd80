/** How failures are told over HTTP, by whichever edge meets them. */
@NullMarked
package io.penstock.server.failure;

import org.jspecify.annotations.NullMarked;
