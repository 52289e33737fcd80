/**
 * Soaks of the log and the queue: kills, full disks and damaged files at bad moments, then a check of what was
 * promised.
 */
@NullMarked
package io.penstock.bench.soak;

import org.jspecify.annotations.NullMarked;
