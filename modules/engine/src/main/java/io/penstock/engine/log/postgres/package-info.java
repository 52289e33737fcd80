/** Postgres for the ledger: starting the embedded one, connecting to any other, the schema and the statements. */
@NullMarked
package io.penstock.engine.log.postgres;

import org.jspecify.annotations.NullMarked;
