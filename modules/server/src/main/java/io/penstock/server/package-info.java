/** The server: the edges, what they are wired to, and the command line that starts it all. */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;
