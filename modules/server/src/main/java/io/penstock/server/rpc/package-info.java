/** Serves hosts of agent tasks over TCP: one JSON object per line, in the protocol of taskd. */
@NullMarked
package io.penstock.server.rpc;

import org.jspecify.annotations.NullMarked;
