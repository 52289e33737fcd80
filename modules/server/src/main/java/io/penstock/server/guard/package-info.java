/** Access to the server: credentials, and checks against pages of other sites. */
@NullMarked
package io.penstock.server.guard;

import org.jspecify.annotations.NullMarked;
