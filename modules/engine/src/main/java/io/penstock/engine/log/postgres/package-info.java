/** Postgres for the ledger: starting the embedded one, reaching any other, its schema and its statements. */
@NullMarked
package io.penstock.engine.log.postgres;

import org.jspecify.annotations.NullMarked;
