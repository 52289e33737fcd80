/** The frame log's storage: the way into the journal, and reads from memory, the journal and Postgres. */
@NullMarked
package io.penstock.engine.log.store;

import org.jspecify.annotations.NullMarked;
