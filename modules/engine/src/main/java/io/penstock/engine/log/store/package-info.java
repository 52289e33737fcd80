/** The frame log's storage: frames are accepted by the journal, drained to Postgres, and read from both. */
@NullMarked
package io.penstock.engine.log.store;

import org.jspecify.annotations.NullMarked;
