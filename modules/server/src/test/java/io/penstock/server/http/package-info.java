/** The REST edge over real HTTP, with real programs. */
@NullMarked
package io.penstock.server.http;

import org.jspecify.annotations.NullMarked;
