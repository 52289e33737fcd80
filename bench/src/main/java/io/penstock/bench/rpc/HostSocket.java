package io.penstock.bench.rpc;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A connection of a host. For one reading and one writing thread. */
final class HostSocket implements AutoCloseable {

    private static final int PATIENCE_MS = 60_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private byte[] read = new byte[1 << 16];
    private int from;
    private int to;

    /** @param token null for a server that needs none */
    HostSocket(URI address, @Nullable String token) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MS);
        in = socket.getInputStream();
        out = socket.getOutputStream();
        if (token != null) {
            ask("token", "authenticate", new JsonObject().put("token", token));
        }
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    static byte[] request(String id, String type, JsonObject payload) {
        return (new JsonObject()
                                .put("id", id)
                                .put("type", type)
                                .put("payload", payload)
                                .encode() + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The next line; null at the end. */
    @Nullable
    String line() throws IOException {
        int seen = from;
        while (true) {
            for (; seen < to; seen++) {
                if (read[seen] == '\n') {
                    String line = new String(read, from, seen - from, StandardCharsets.UTF_8);
                    from = seen + 1;
                    return line;
                }
            }
            if (from > 0) {
                System.arraycopy(read, from, read, 0, to - from);
                seen -= from;
                to -= from;
                from = 0;
            } else if (to == read.length) {
                read = Arrays.copyOf(read, 2 * read.length);
            }
            int count = in.read(read, to, read.length - to);
            if (count < 0) {
                return null;
            }
            to += count;
        }
    }

    /** The next line with this text in it. */
    String until(String text) throws IOException {
        for (String line = line(); line != null; line = line()) {
            if (line.contains(text)) {
                return line;
            }
        }
        throw new IOException("the connection was closed before \"" + text + "\"");
    }

    JsonObject ask(String id, String type, JsonObject payload) throws IOException {
        send(request(id, type, payload));
        return new JsonObject(until("{\"id\":\"" + id + "\""));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
