/** The native spawner: programs whose descriptors live on their owner's event loop. The only package that sees Netty. */
@NullMarked
package io.penstock.engine.spawn.epoll;

import org.jspecify.annotations.NullMarked;
