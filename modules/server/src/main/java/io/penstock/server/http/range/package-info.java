/** What requests for parts of something mean, by RFC 9110; knows neither Vert.x nor where the bytes are. */
@NullMarked
package io.penstock.server.http.range;

import org.jspecify.annotations.NullMarked;
