/**
 * Viewers on terminals' sockets: throughput to many, latency of an echo, and reconnection; compared to a node server.
 */
@NullMarked
package io.penstock.bench.attach;

import org.jspecify.annotations.NullMarked;
