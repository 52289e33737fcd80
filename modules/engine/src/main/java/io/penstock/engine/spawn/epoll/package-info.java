/** The native spawner: programs whose descriptors live on the event loop of who owns them. The only package that sees Netty. */
@NullMarked
package io.penstock.engine.spawn.epoll;

import org.jspecify.annotations.NullMarked;
