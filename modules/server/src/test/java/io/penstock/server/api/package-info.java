/** The document says what is so, and only that. */
@NullMarked
package io.penstock.server.api;

import org.jspecify.annotations.NullMarked;
