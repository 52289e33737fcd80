package io.penstock.server.guard;

import io.penstock.engine.spawn.linux.DescriptorBudget;
import io.penstock.server.request.HttpLimits;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of all edges, in two pools: those that have presented a valid credential, and strangers. However many
 * strangers connect, and however slowly they send, they take no place of the first pool, so a caller with a token is
 * always served. May be called from any thread.
 */
public final class Connections {

    private static final long SWEEP_MS = 1_000;

    /** The prefix of an IPv6 address that a provider assigns to one customer. */
    private static final int IPV6_PREFIX_BYTES = 8;

    private static final long STRANGER_NANOS = TimeUnit.SECONDS.toNanos(HttpLimits.STRANGER_SECONDS);

    /** Strangers by network address, the oldest first, with their arrival time. */
    private final Map<String, LinkedHashMap<HttpConnection, Long>> strangers = new HashMap<>();

    private final Map<HttpConnection, String> places = new HashMap<>();
    private final DescriptorBudget descriptors;
    private final int maxSignedIn;
    private int signedIn;

    /**
     * @param vertx whose timer closes strangers when their time is up
     * @param descriptors without free descriptors, no connection is signed in, and a new stranger evicts the oldest
     * @param maxSignedIn maximum number of connections with a valid credential
     */
    public Connections(Vertx vertx, DescriptorBudget descriptors, int maxSignedIn) {
        this.descriptors = descriptors;
        this.maxSignedIn = maxSignedIn;
        vertx.setPeriodic(SWEEP_MS, sweep -> closeExpired(System.nanoTime()));
    }

    /**
     * A connection starts as a stranger. If there is no room, the oldest stranger of the address with the most
     * strangers is closed.
     */
    public void opened(HttpConnection connection) {
        connection.closeHandler(closed -> closed(connection));
        HttpConnection evicted = null;
        synchronized (this) {
            String place = place(connection.remoteAddress());
            places.put(connection, place);
            strangers.computeIfAbsent(place, _ -> new LinkedHashMap<>()).put(connection, System.nanoTime());
            if (places.size() > HttpLimits.STRANGERS || places.size() > 1 && !descriptors.hasRoom()) {
                evicted = oldestOfBusiestAddress();
                remove(evicted);
            }
        }
        if (evicted != null) {
            evicted.close();
        }
    }

    /**
     * Signs in a connection that presented a valid credential. Returns false if there is no room, and it remains a
     * stranger.
     */
    public synchronized boolean signIn(HttpConnection connection) {
        if (!places.containsKey(connection)) {
            return true;
        }
        if (signedIn >= maxSignedIn || !descriptors.hasRoom()) {
            return false;
        }
        remove(connection);
        signedIn++;
        connection.closeHandler(closed -> left());
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
        return signedIn + places.size();
    }

    public synchronized int strangers() {
        return places.size();
    }

    private synchronized void closed(HttpConnection connection) {
        remove(connection);
    }

    private void remove(HttpConnection connection) {
        String place = places.remove(connection);
        Map<HttpConnection, Long> atAddress = place == null ? null : strangers.get(place);
        if (atAddress != null) {
            atAddress.remove(connection);
            if (atAddress.isEmpty()) {
                strangers.remove(place);
            }
        }
    }

    private HttpConnection oldestOfBusiestAddress() {
        return strangers.values().stream()
                .max(Comparator.comparingInt(Map::size))
                .orElseThrow()
                .firstEntry()
                .getKey();
    }

    private void closeExpired(long now) {
        List<HttpConnection> expired = new ArrayList<>();
        synchronized (this) {
            for (LinkedHashMap<HttpConnection, Long> atAddress : strangers.values()) {
                Iterator<Map.Entry<HttpConnection, Long>> oldest =
                        atAddress.entrySet().iterator();
                while (oldest.hasNext()) {
                    Map.Entry<HttpConnection, Long> next = oldest.next();
                    if (now - next.getValue() < STRANGER_NANOS) {
                        break;
                    }
                    expired.add(next.getKey());
                }
            }
            expired.forEach(this::remove);
        }
        expired.forEach(HttpConnection::close);
    }

    private static String place(@Nullable SocketAddress address) {
        String host = address == null ? null : address.hostAddress();
        if (host == null || !host.contains(":")) {
            return String.valueOf(host);
        }
        try {
            byte[] bytes = InetAddress.getByName(host).getAddress();
            return HexFormat.of().formatHex(bytes, 0, Math.min(IPV6_PREFIX_BYTES, bytes.length));
        } catch (UnknownHostException e) {
            return host;
        }
    }
}
