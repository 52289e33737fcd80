/** Where a living task is recorded: the only writer of its frames, its entries in the stream of its session, and the sentences in both. */
@NullMarked
package io.penstock.engine.task.record;

import org.jspecify.annotations.NullMarked;
