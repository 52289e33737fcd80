/** The parts of attaching, each alone or with a task without a whole server. */
@NullMarked
package io.penstock.server.ws;

import org.jspecify.annotations.NullMarked;
