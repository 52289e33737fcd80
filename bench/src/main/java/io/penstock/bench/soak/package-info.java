/** Tortures the log: kills, full disks and damaged files at random moments, and then a count of what was promised. */
@NullMarked
package io.penstock.bench.soak;

import org.jspecify.annotations.NullMarked;
