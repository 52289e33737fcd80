/** Starting programs: what is asked, what may go wrong, and what a running program can be told, whoever starts it. */
@NullMarked
package io.penstock.engine.spawn;

import org.jspecify.annotations.NullMarked;
