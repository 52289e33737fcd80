package io.penstock.engine.spawn.epoll;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.function.Consumer;

/** The event loops of a Vert.x. */
public final class EventLoops {
    private EventLoops() {}

    /**
     * Reports the end of an event loop. A loop ends when Vert.x is closed, or when an error escapes on it: then its tasks and connections
     * are dead, while those of the other loops continue.
     *
     * @param listener called with the loop's name, on a thread of its own
     */
    public static void whenEnded(Vertx vertx, Consumer<String> listener) {
        var internal = (VertxInternal) vertx;
        watch(internal.nettyEventLoopGroup(), "event loop", listener);
        watch(internal.acceptorEventLoopGroup(), "acceptor", listener);
    }

    private static void watch(EventLoopGroup loops, String kind, Consumer<String> listener) {
        int number = 0;
        for (EventExecutor loop : loops) {
            String name = kind + " " + number++;
            loop.terminationFuture().addListener(ended -> listener.accept(name));
        }
    }
}
