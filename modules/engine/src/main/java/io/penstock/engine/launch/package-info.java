/** The request for a task, the files that describe a task while it is queued or lives, and the launch of its program. Blocks. */
@NullMarked
package io.penstock.engine.launch;

import org.jspecify.annotations.NullMarked;
