/** Options, the start and the stop of the server. */
@NullMarked
package io.penstock.server.start;

import org.jspecify.annotations.NullMarked;
