/** Service under load, and beside tasks that misbehave. */
@NullMarked
package io.penstock.server.load;

import org.jspecify.annotations.NullMarked;
