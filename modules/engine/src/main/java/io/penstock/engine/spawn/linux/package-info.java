/** Everything specific to Linux: the calls into its C library, and the reading of /proc and cgroup2. */
@NullMarked
package io.penstock.engine.spawn.linux;

import org.jspecify.annotations.NullMarked;
