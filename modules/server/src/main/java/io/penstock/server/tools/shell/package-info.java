/** The tool {@code shell}: runs of commands, each a task, with its frames shown as items that are numbered from 1. */
@NullMarked
package io.penstock.server.tools.shell;

import org.jspecify.annotations.NullMarked;
