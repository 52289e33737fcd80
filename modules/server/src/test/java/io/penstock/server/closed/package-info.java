/** What strangers, tasks and hostile requests do not get. */
@NullMarked
package io.penstock.server.closed;

import org.jspecify.annotations.NullMarked;
