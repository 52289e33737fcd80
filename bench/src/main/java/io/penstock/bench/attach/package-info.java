/** Viewers on terminals' sockets: how fast output gets to many, how soon an echo comes back; beside a server of node. */
@NullMarked
package io.penstock.bench.attach;

import org.jspecify.annotations.NullMarked;
