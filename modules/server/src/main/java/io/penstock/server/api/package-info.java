/** The OpenAPI document of the REST edge, and the routes created from it. */
@NullMarked
package io.penstock.server.api;

import org.jspecify.annotations.NullMarked;
