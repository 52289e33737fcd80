/** Removes old streams from the database, whole days at once, and remembers which they were. */
@NullMarked
package io.penstock.engine.log.retention;

import org.jspecify.annotations.NullMarked;
