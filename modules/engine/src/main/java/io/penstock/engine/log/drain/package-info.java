/** From the journal to Postgres: groups of records, each written once whatever fails in between. */
@NullMarked
package io.penstock.engine.log.drain;

import org.jspecify.annotations.NullMarked;
