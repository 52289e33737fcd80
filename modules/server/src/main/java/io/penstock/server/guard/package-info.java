/** Who may speak to the server at all: the token, and the checks against web pages of strangers. */
@NullMarked
package io.penstock.server.guard;

import org.jspecify.annotations.NullMarked;
