/** Ends or resumes the tasks that an earlier server left, as plain code on virtual threads. */
@NullMarked
package io.penstock.engine.recovery;

import org.jspecify.annotations.NullMarked;
