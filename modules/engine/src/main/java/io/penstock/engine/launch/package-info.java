/** What a task is asked to run, the files that describe it while it is queued or lives, and the launch of its program. Blocks. */
@NullMarked
package io.penstock.engine.launch;

import org.jspecify.annotations.NullMarked;
