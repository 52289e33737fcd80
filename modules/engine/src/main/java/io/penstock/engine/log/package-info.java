/** The log that loses nothing: every frame of every stream, accepted by the journal, kept in Postgres. */
@NullMarked
package io.penstock.engine.log;

import org.jspecify.annotations.NullMarked;
