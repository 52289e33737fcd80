/** The frame log as its users see it: streams, writers, followers and lists of tasks. */
@NullMarked
package io.penstock.engine.log;

import org.jspecify.annotations.NullMarked;
