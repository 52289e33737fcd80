/** The spawner for platforms without the native one. The only package that uses pty4j. */
@NullMarked
package io.penstock.engine.spawn.pty4j;

import org.jspecify.annotations.NullMarked;
