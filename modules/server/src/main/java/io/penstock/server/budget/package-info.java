/** The memory budget of answers in progress, shared by all edges. */
@NullMarked
package io.penstock.server.budget;

import org.jspecify.annotations.NullMarked;
