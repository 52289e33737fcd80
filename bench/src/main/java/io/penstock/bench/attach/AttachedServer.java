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
 * A server to whose tasks viewers are attached.
 *
 * @param path what stands behind a task's id
 * @param entries whether messages are entries, as in Penstock's binary language; else they are what was written, and nothing else
 * @param cpuNanos what its process has used of the processors
 */
record AttachedServer(
        String name,
        URI address,
        @Nullable String token,
        String path,
        boolean entries,
        LongSupplier cpuNanos,
        Forgetting forgetting) {

    /** What is done to an output that has been looked at. */
    interface Forgetting {
        void output(String task, String channel) throws IOException, InterruptedException;
    }

    static AttachedServer of(LoadedServer server) {
        // So that the next output is written into memory that was just given back: see the page about benchmarks.
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

    /** The request that makes a connection a WebSocket on which a task is shown. */
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
