package io.penstock.server.rpc;

import io.penstock.engine.host.HostEvent;
import io.penstock.engine.host.HostTasks;
import io.penstock.engine.pump.AgentApi;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Frame;
import io.penstock.server.guard.Connections;
import io.penstock.server.guard.Guard;
import io.penstock.server.request.IdempotencyKeys;
import io.penstock.server.request.Once;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RPC port: all hosts on one event loop, since they see the same tasks and the same selection. */
public final class RpcEdge extends VerticleBase {

    private static final Logger log = LoggerFactory.getLogger(RpcEdge.class);

    /** The place of a frame. */
    private record Place(String taskId, long seq) {}

    private final String host;
    private final int port;
    private final TaskApi tasks;
    private final AgentApi agents;
    private final IdempotencyKeys keys;
    private final Guard guard;
    private final Connections connections;
    private final Map<Place, Buffer> encoded = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, Buffer> eldest) {
            return size() > RpcLimits.ENCODED_EVENTS;
        }
    };
    private @Nullable NetServer server;

    /** @param port 0 for any free port */
    public RpcEdge(
            String host,
            int port,
            TaskApi tasks,
            AgentApi agents,
            IdempotencyKeys keys,
            Guard guard,
            Connections connections) {
        this.host = host;
        this.port = port;
        this.tasks = tasks;
        this.agents = agents;
        this.keys = keys;
        this.guard = guard;
        this.connections = connections;
    }

    @Override
    public Future<?> start() {
        Actor actor = guard.actor();
        var hostTasks = new HostTasks(tasks, agents, actor, context);
        var shared = new RpcConnection.Shared(
                vertx, hostTasks, new Once(keys, "taskd of " + actor), guard, connections, this::encode);
        NetServer listening = vertx.createNetServer(new NetServerOptions()
                .setHost(host)
                .setPort(port)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                .setTcpUserTimeout(RpcLimits.UNACKNOWLEDGED_MS));
        server = listening;
        return hostTasks
                .adopt()
                .otherwise(e -> {
                    log.warn("Tasks of hosts that were queued are not followed: {}", e.getMessage());
                    return null;
                })
                .compose(adopted -> listening
                        .connectHandler(socket -> new RpcConnection(shared, socket))
                        .listen());
    }

    public int port() {
        return Objects.requireNonNull(server).actualPort();
    }

    /** Events are encoded once for all connections that are near the same place. */
    private Buffer encode(Frame frame, List<HostEvent> events) {
        return encoded.computeIfAbsent(new Place(frame.stream().id(), frame.seq()), absent -> {
            Buffer lines = Buffer.buffer();
            events.forEach(event -> lines.appendBuffer(RpcLine.event(event)));
            return lines;
        });
    }
}
