/** The access token and the checks of callers. */
@NullMarked
package io.penstock.server.guard;

import org.jspecify.annotations.NullMarked;
