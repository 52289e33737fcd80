/** The configuration file: agent programs, and the limits of the tools that run them. */
@NullMarked
package io.penstock.server.config;

import org.jspecify.annotations.NullMarked;
