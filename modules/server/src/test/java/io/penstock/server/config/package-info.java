/** The configuration file: what it gives, and what is said about a broken one. */
@NullMarked
package io.penstock.server.config;

import org.jspecify.annotations.NullMarked;
