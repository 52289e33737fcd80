package io.penstock.engine.log;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy between a ledger and its Postgres. Cutting it makes the ledger lose its connections while Postgres continues
 * with what it has received, as when a network breaks.
 */
public final class CutWire {

    private final NetServer server;
    private final NetClient client;
    private final List<NetSocket> callers = new CopyOnWriteArrayList<>();
    private final Set<NetSocket> mute = ConcurrentHashMap.newKeySet();

    private CutWire(Vertx vertx, PgConnectOptions postgres) {
        client = vertx.createNetClient();
        SocketAddress place = SocketAddress.domainSocketAddress(postgres.getHost() + "/.s.PGSQL." + postgres.getPort());
        server = vertx.createNetServer().connectHandler(caller -> {
            callers.add(caller);
            caller.pause();
            client.connect(place).onSuccess(answerer -> {
                answerer.handler(answer -> {
                    if (!mute.contains(caller)) {
                        caller.write(answer);
                    }
                });
                answerer.closeHandler(v -> caller.close());
                caller.handler(answerer::write);
                caller.resume();
            });
        });
    }

    public static Future<CutWire> to(Vertx vertx, PgConnectOptions postgres) {
        var wire = new CutWire(vertx, postgres);
        return wire.server.listen(0, "127.0.0.1").map(wire);
    }

    public PgConnectOptions options(PgConnectOptions postgres) {
        return new PgConnectOptions(postgres).setHost("127.0.0.1").setPort(server.actualPort());
    }

    /** Existing connections get no more answers and are not closed, as when the other end loses power. */
    public void mute() {
        mute.addAll(callers);
    }

    public void cut() {
        callers.forEach(NetSocket::close);
        callers.clear();
    }
}
