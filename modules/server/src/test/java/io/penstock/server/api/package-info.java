/** The document agrees with the server in both directions. */
@NullMarked
package io.penstock.server.api;

import org.jspecify.annotations.NullMarked;
