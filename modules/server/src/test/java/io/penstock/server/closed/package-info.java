/** Denied access: of strangers, tasks and hostile requests. */
@NullMarked
package io.penstock.server.closed;

import org.jspecify.annotations.NullMarked;
