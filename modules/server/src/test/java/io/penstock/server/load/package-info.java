/** Service under load, and next to misbehaving tasks. */
@NullMarked
package io.penstock.server.load;

import org.jspecify.annotations.NullMarked;
