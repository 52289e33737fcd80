package io.penstock.bench.attach;

import io.penstock.bench.fetch.TasksOverHttp;
import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.peer.NodeServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A server to whose tasks viewers attach.
 *
 * @param path the part after a task's id
 * @param entries whether messages consist of entries, as in Penstock's binary subprotocol; otherwise they are plain
 * output
 * @param cpuNanos processor time of its process
 */
record AttachedServer(
        String name,
        URI address,
        @Nullable String token,
        String path,
        boolean entries,
        LongSupplier cpuNanos,
        Forgetting forgetting) {

    /** Deletes an output that is no longer needed. */
    interface Forgetting {
        void output(String task, String channel) throws IOException, InterruptedException;
    }

    static AttachedServer of(LoadedServer server) {
        // Deleted so that the next output is written into memory that was just freed: see docs/benchmarks.md.
        Forgetting delete = (task, channel) -> Files.delete(server.data()
                .resolve(new TasksOverHttp(server).output(task, channel).path()));
        return new AttachedServer(
                "Penstock", server.address(), server.token(), "/attach?from_seq=0", true, server::cpuNanos, delete);
    }

    static AttachedServer of(NodeServer node) {
        return new AttachedServer("node", node.address(), null, "/bytes", false, node::cpuNanos, (task, channel) -> {});
    }

    TasksOverHttp tasks() {
        return new TasksOverHttp(address, token);
    }

    /** The request that upgrades a connection to a WebSocket attached to a task. */
    String upgrade(String task) {
        return upgrade(address, token, "/tasks/" + task + path, entries ? "penstock.v1.binary" : null);
    }

    static String upgrade(URI address, @Nullable String token, String path, @Nullable String language) {
        return "GET " + path + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: cGVuc3RvY2stcGVuc3RvYw==\r\n"
                + (language == null ? "" : "Sec-WebSocket-Protocol: " + language + "\r\n")
                + (token == null ? "" : "Authorization: Bearer " + token + "\r\n") + "\r\n";
    }
}
