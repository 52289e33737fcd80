package io.penstock.server.guard;

import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Connections without a valid credential, by their network address, the oldest first. Its owner guards it. */
final class Strangers {

    /** The prefix of an IPv6 address that a provider assigns to one customer. */
    private static final int IPV6_PREFIX_BYTES = 8;

    /**
     * One of them.
     *
     * @param connection names it
     * @param since the time of its arrival
     * @param close closes it
     */
    record Stranger(Object connection, @Nullable SocketAddress from, long since, Runnable close) {}

    private final Map<String, LinkedHashMap<Object, Stranger>> byAddress = new HashMap<>();

    private final Map<Object, String> addresses = new HashMap<>();

    void add(Stranger stranger) {
        String address = address(stranger.from());
        addresses.put(stranger.connection(), address);
        byAddress.computeIfAbsent(address, _ -> new LinkedHashMap<>()).put(stranger.connection(), stranger);
    }

    /** Returns it; null if it is not here. */
    @Nullable
    Stranger remove(Object connection) {
        String address = addresses.remove(connection);
        Map<Object, Stranger> atAddress = address == null ? null : byAddress.get(address);
        if (atAddress == null) {
            return null;
        }
        Stranger stranger = atAddress.remove(connection);
        if (atAddress.isEmpty()) {
            byAddress.remove(address);
        }
        return stranger;
    }

    boolean has(Object connection) {
        return addresses.containsKey(connection);
    }

    boolean isEmpty() {
        return addresses.isEmpty();
    }

    int size() {
        return addresses.size();
    }

    /** If there are more than this, removes the oldest of the address with the most, and returns it. */
    @Nullable
    Stranger evictBeyond(int most) {
        if (addresses.size() <= most) {
            return null;
        }
        Object oldest = byAddress.values().stream()
                .max(Comparator.comparingInt(Map::size))
                .orElseThrow()
                .firstEntry()
                .getKey();
        return remove(oldest);
    }

    /** Moves those that arrived before a moment into the list. */
    void removeOlder(long moment, List<Stranger> removed) {
        var old = new ArrayList<Stranger>();
        for (LinkedHashMap<Object, Stranger> atAddress : byAddress.values()) {
            for (Stranger next : atAddress.values()) {
                if (next.since() - moment > 0) {
                    break;
                }
                old.add(next);
            }
        }
        old.forEach(stranger -> remove(stranger.connection()));
        removed.addAll(old);
    }

    private static String address(@Nullable SocketAddress address) {
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
