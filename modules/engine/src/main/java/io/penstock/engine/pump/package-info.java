/** Runs tasks: each is owned by one shard, which starts it, records what it does, and tells how it ended. */
@NullMarked
package io.penstock.engine.pump;

import org.jspecify.annotations.NullMarked;
