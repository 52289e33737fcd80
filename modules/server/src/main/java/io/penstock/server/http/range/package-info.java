/** Requests for parts of a resource, by RFC 9110; independent of Vert.x and of where the bytes are. */
@NullMarked
package io.penstock.server.http.range;

import org.jspecify.annotations.NullMarked;
