/** The data and tasks that survive the death of the server, of Postgres, or a restart. */
@NullMarked
package io.penstock.server.restart;

import org.jspecify.annotations.NullMarked;
