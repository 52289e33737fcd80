/** The server: the edges, their wiring, and the command line that starts it. */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;
