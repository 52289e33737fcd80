package io.penstock.server.rpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;

/** What Vert.x cannot say about a TCP connection. */
final class HostTcp {

    private HostTcp() {}

    /** A peer that is silent is asked whether it is there, so that a connection to a lost one ends. */
    static void probe(NetSocket socket) {
        Channel channel = channel(socket);
        channel.config().setOption(EpollChannelOption.TCP_KEEPIDLE, RpcLimits.SILENT_SECONDS);
        channel.config().setOption(EpollChannelOption.TCP_KEEPINTVL, RpcLimits.PROBE_SECONDS);
    }

    /**
     * Keeps the connection when the peer has closed its sending side.
     *
     * @param inputEnded called on the connection's event loop when the peer has done so, and all that it had sent was received
     */
    static void keepHalfClosed(NetSocket socket, Runnable inputEnded) {
        Channel channel = channel(socket);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void userEventTriggered(ChannelHandlerContext context, Object event) {
                if (event instanceof ChannelInputShutdownEvent) {
                    inputEnded.run();
                }
                context.fireUserEventTriggered(event);
            }
        });
    }

    private static Channel channel(NetSocket socket) {
        return ((NetSocketInternal) socket).channelHandlerContext().channel();
    }
}
