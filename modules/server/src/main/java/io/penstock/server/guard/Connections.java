package io.penstock.server.guard;

import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.server.guard.Strangers.Stranger;
import io.penstock.server.request.HttpLimits;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of all edges, in two pools: those that have presented a valid credential, and strangers. However many
 * strangers connect, and however slowly they send, they take no place of the first pool, so a caller with a token is
 * always served. May be called from any thread.
 */
public final class Connections {

    private static final long SWEEP_MS = 1_000;

    /** The shortest timer. Its event loop reads what has arrived before it runs. */
    private static final long READ_MS = 1;

    private static final long STRANGER_NANOS = TimeUnit.SECONDS.toNanos(HttpLimits.STRANGER_SECONDS);

    private final Vertx vertx;

    /** Strangers from which the server has not read yet: the credential of a caller may have arrived. */
    private final Strangers unread = new Strangers();

    private final Strangers strangers = new Strangers();
    private final DescriptorBudget descriptors;
    private final int maxSignedIn;
    private int signedIn;

    /**
     * @param vertx whose timer closes strangers when their time is up
     * @param descriptors without free descriptors, no connection is signed in, and a new stranger evicts the oldest
     * @param maxSignedIn maximum number of connections with a valid credential
     */
    public Connections(Vertx vertx, DescriptorBudget descriptors, int maxSignedIn) {
        this.vertx = vertx;
        this.descriptors = descriptors;
        this.maxSignedIn = maxSignedIn;
        vertx.setPeriodic(SWEEP_MS, sweep -> closeExpired(System.nanoTime()));
    }

    /**
     * A connection starts as a stranger. If there is no room, the oldest stranger of the address with the most
     * strangers is closed, but none from which the event loop, busy with others, has not read yet. Call it on the
     * connection's event loop.
     */
    public void opened(HttpConnection connection) {
        connection.closeHandler(closed -> closed(connection));
        opened(connection, connection.remoteAddress(), connection::close);
    }

    /**
     * The same for another kind of connection, whose owner reports its end.
     *
     * @param connection names it
     */
    public void opened(Object connection, @Nullable SocketAddress from, Runnable close) {
        Stranger evicted;
        synchronized (this) {
            unread.add(new Stranger(connection, from, System.nanoTime(), close));
            evicted = unread.evictBeyond(HttpLimits.UNREAD_STRANGERS);
            if (evicted == null && !descriptors.hasRoom()) {
                evicted = strangers.isEmpty() ? unread.evictBeyond(1) : strangers.evictBeyond(0);
            }
        }
        close(evicted);
        vertx.setTimer(READ_MS, read -> close(read(connection)));
    }

    /** From now on the connection may be closed to make room for others. Returns the one that is. */
    private synchronized @Nullable Stranger read(Object connection) {
        Stranger stranger = unread.remove(connection);
        if (stranger == null) {
            return null;
        }
        strangers.add(stranger);
        return strangers.evictBeyond(HttpLimits.STRANGERS);
    }

    private static void close(@Nullable Stranger evicted) {
        if (evicted != null) {
            evicted.close().run();
        }
    }

    /**
     * Signs in a connection that presented a valid credential. Returns false if there is no room, and it remains a
     * stranger.
     */
    public synchronized boolean signIn(HttpConnection connection) {
        if (!unread.has(connection) && !strangers.has(connection)) {
            return true;
        }
        boolean room = signIn((Object) connection);
        if (room) {
            connection.closeHandler(closed -> left());
        }
        return room;
    }

    /** The same for a connection whose owner reports its end: by {@link #left} if it was signed in, else by {@link #closed}. */
    public synchronized boolean signIn(Object connection) {
        if (signedIn >= maxSignedIn || !descriptors.hasRoom()) {
            return false;
        }
        closed(connection);
        signedIn++;
        return true;
    }

    /** A signed-in connection has ended. HTTP does not report the end of one that has become a WebSocket. */
    public synchronized void left() {
        signedIn--;
    }

    /** Why no further connection is signed in, as a sentence for the user. */
    public String full() {
        return descriptors.hasRoom()
                ? "This server has " + maxSignedIn + " connections, and takes no more"
                : descriptors.sentence();
    }

    /** The number of open connections in both pools. */
    public synchronized int open() {
        return signedIn + strangers();
    }

    public synchronized int strangers() {
        return unread.size() + strangers.size();
    }

    /** A stranger's connection has ended. */
    public synchronized void closed(Object connection) {
        unread.remove(connection);
        strangers.remove(connection);
    }

    private void closeExpired(long now) {
        List<Stranger> expired = new ArrayList<>();
        synchronized (this) {
            unread.removeOlder(now - STRANGER_NANOS, expired);
            strangers.removeOlder(now - STRANGER_NANOS, expired);
        }
        expired.forEach(Connections::close);
    }
}
