/** The node journal: an append-only, checksummed, memory-mapped sequence of opaque records that survives kill -9. */
@NullMarked
package io.penstock.engine.log.journal;

import org.jspecify.annotations.NullMarked;
