/** Tells sinks of an embedding program what happens to tasks, with snippets of their output. */
@NullMarked
package io.penstock.engine.sink;

import org.jspecify.annotations.NullMarked;
