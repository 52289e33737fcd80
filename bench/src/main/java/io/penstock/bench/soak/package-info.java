/** Soaks of the queue and of memory, and what all soaks use: a server in a process of its own, a small disk. */
@NullMarked
package io.penstock.bench.soak;

import org.jspecify.annotations.NullMarked;
