/** Processes on Linux: their groups, cgroups and orphans, and the files of /proc. The calls into the C library are in {@code libc}. */
@NullMarked
package io.penstock.engine.spawn.linux;

import org.jspecify.annotations.NullMarked;
