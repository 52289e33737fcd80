/** For operators: health, metrics, and the web client's pages. */
@NullMarked
package io.penstock.server.ops;

import org.jspecify.annotations.NullMarked;
