/** Opens and closes the journal, the database and the log on top of them, in order. */
@NullMarked
package io.penstock.engine.ledger;

import org.jspecify.annotations.NullMarked;
