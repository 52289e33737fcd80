/** Tasks over REST, and their frames as server-sent events: the HTTP part of the contract tool-tasks. */
@NullMarked
package io.penstock.server.http;

import org.jspecify.annotations.NullMarked;
