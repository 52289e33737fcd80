/** What operators look at: health, and the pages. */
@NullMarked
package io.penstock.server.ops;

import org.jspecify.annotations.NullMarked;
