/** The access token and the checks on who asks. */
@NullMarked
package io.penstock.server.guard;

import org.jspecify.annotations.NullMarked;
