/** Hosts of agent tasks over TCP, with a whole server and real agent programs. */
@NullMarked
package io.penstock.server.rpc;

import org.jspecify.annotations.NullMarked;
