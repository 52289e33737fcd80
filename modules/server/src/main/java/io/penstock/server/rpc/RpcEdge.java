package io.penstock.server.rpc;

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
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RPC port: all hosts on one event loop, since they see the same tasks and the same selection. */
public final class RpcEdge extends VerticleBase implements HostTasks.Listener {

    private static final Logger log = LoggerFactory.getLogger(RpcEdge.class);

    /** The place of a frame. */
    private record Place(String taskId, long seq) {}

    private final String host;
    private final int port;
    private final TaskApi tasks;
    private final AgentApi agents;
    private final IdempotencyKeys keys;
    private final Guard guard;
    private final Connections strangersAndHosts;
    private final Set<RpcConnection> connections = new HashSet<>();
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
        this.strangersAndHosts = connections;
    }

    @Override
    public Future<?> start() {
        Actor actor = guard.actor();
        var thread = new OneThread(context);
        HostTasks known = new HostTasks(tasks, agents, actor, thread, this);
        var shared = new RpcConnection.Shared(
                vertx,
                thread,
                tasks,
                known,
                new Once(keys, "taskd of " + actor),
                guard,
                strangersAndHosts,
                this::encode);
        NetServer listening = vertx.createNetServer(new NetServerOptions()
                .setHost(host)
                .setPort(port)
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                .setTcpUserTimeout(RpcLimits.UNACKNOWLEDGED_MS));
        server = listening;
        return known.adopt()
                .otherwise(e -> {
                    log.warn("Tasks of hosts that were queued are not followed: {}", e.getMessage());
                    return null;
                })
                .compose(adopted -> listening
                        .connectHandler(socket -> connect(shared, socket))
                        .listen());
    }

    private void connect(RpcConnection.Shared shared, NetSocket socket) {
        RpcConnection[] self = new RpcConnection[1];
        self[0] = new RpcConnection(shared, socket, () -> connections.remove(self[0]));
        connections.add(self[0]);
    }

    public int port() {
        return Objects.requireNonNull(server).actualPort();
    }

    /** Events are encoded once for all connections that are near the same place. */
    private @Nullable Buffer encode(TaskEvents events, Frame frame) {
        Supplier<Buffer> lines = events.after(frame);
        return lines == null
                ? null
                : encoded.computeIfAbsent(new Place(frame.stream().id(), frame.seq()), absent -> lines.get());
    }

    @Override
    public void opened(String name, String taskId, long fromSeq) {
        signedIn().forEach(connection -> connection.follow(taskId, fromSeq, new TaskEvents(name)));
    }

    @Override
    public void happened(String event, String name, JsonObject payload) {
        Buffer line = RpcLine.event(event, System.currentTimeMillis(), name, payload);
        signedIn().forEach(connection -> connection.write(line));
    }

    private List<RpcConnection> signedIn() {
        return connections.stream().filter(RpcConnection::isSignedIn).toList();
    }
}
