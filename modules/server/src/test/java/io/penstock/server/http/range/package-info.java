/** Ranges and conditions without a server: tables, and a model that is slow and plain. */
@NullMarked
package io.penstock.server.http.range;

import org.jspecify.annotations.NullMarked;
