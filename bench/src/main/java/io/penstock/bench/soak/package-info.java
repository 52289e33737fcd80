/** Tortures the log and the queue: kills, full disks and damaged files at bad moments, and then a count of what was promised. */
@NullMarked
package io.penstock.bench.soak;

import org.jspecify.annotations.NullMarked;
