/** The shards that own tasks, the door to them, and the recovery of what an earlier server left. */
@NullMarked
package io.penstock.engine.pump;

import org.jspecify.annotations.NullMarked;
