/** The calls into the C library, with their structures and errors: descriptors and their limit, terminals, starting a program and reaping it. */
@NullMarked
package io.penstock.engine.spawn.linux.libc;

import org.jspecify.annotations.NullMarked;
