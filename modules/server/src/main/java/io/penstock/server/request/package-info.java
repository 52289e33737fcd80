/** The fields of requests and messages, for all edges, with error messages that say what would be right. */
@NullMarked
package io.penstock.server.request;

import org.jspecify.annotations.NullMarked;
