/** Everything that is asked of Linux itself: the calls into its C library, and what /proc and cgroup2 say. */
@NullMarked
package io.penstock.engine.spawn.linux;

import org.jspecify.annotations.NullMarked;
