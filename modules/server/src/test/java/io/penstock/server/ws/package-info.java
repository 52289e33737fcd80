/** What the rooms of viewers are made of, each by itself. */
@NullMarked
package io.penstock.server.ws;

import org.jspecify.annotations.NullMarked;
