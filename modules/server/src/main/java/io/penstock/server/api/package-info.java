/** The OpenAPI document of the REST edge, and the routes that are made from it. */
@NullMarked
package io.penstock.server.api;

import org.jspecify.annotations.NullMarked;
