/** Removes what need not be kept any longer: old tasks and sessions, and their outputs with them. */
@NullMarked
package io.penstock.engine.retention;

import org.jspecify.annotations.NullMarked;
