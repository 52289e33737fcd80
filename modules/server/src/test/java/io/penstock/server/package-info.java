/** The server as its users meet it: a process with a command line, a port, and an exit code. */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;
