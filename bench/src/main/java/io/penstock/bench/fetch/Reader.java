package io.penstock.bench.fetch;

import io.penstock.bench.load.SeenStream;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A reader of all output of a task as it is written, over a blocking socket. */
final class Reader {

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int OK = 200;
    private static final int PART = 206;
    private static final int NOTHING_THERE = 416;

    private final URI server;
    private final @Nullable String token;
    private final Flood flood;

    Reader(URI server, @Nullable String token, Flood flood) {
        this.server = server;
        this.token = token;
        this.flood = flood;
    }

    /** Reads its events, which contain the beginning of the output as text. */
    void events(String task) throws IOException {
        var seen = new SeenStream(written -> {});
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream events =
                opened("/tasks/" + task + "/events?until=end&from_seq=0", null).getInputStream()) {
            for (int length = events.read(buffer); length >= 0; length = events.read(buffer)) {
                seen.add(Buffer.buffer().appendBytes(buffer, 0, length));
            }
        }
        if (seen.lost() + seen.doubled() + seen.outOfPlace() > 0 || seen.outputBytes() != flood.bytes()) {
            throw new IOException("the events of " + task + " are not what was written: " + seen.outputBytes() + " of "
                    + flood.bytes() + " bytes, lost " + seen.lost() + ", doubled " + seen.doubled() + ", out of place "
                    + seen.outOfPlace());
        }
    }

    /** Reads bytes: what is there, then what has been added, until all of it is there. */
    void bytes(String task) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        long at = 0;
        while (at < flood.bytes()) {
            HttpURLConnection answer = opened("/tasks/" + task + "/output/stdout", "bytes=" + at + "-");
            if (answer.getResponseCode() == NOTHING_THERE) {
                waitForMore(task, at);
                continue;
            }
            if (answer.getResponseCode() != PART) {
                throw new IOException(
                        "a range of the output of " + task + " was answered with " + answer.getResponseCode());
            }
            try (InputStream bytes = answer.getInputStream()) {
                for (int length = bytes.read(buffer); length >= 0; length = bytes.read(buffer)) {
                    if (!flood.has(at, buffer, length)) {
                        throw new IOException(
                                "the output of " + task + " has other bytes than were written, from " + at);
                    }
                    at += length;
                }
            }
        }
    }

    /** Waits until there are more bytes than this. */
    private void waitForMore(String task, long at) throws IOException {
        HttpURLConnection answer =
                opened("/tasks/" + task + "/output?stream=stdout&max_bytes=1&wait=5000&offset_bytes=" + at, null);
        try (InputStream body = answer.getInputStream()) {
            body.readAllBytes();
        }
    }

    private HttpURLConnection opened(String path, @Nullable String range) throws IOException {
        var connection = (HttpURLConnection) server.resolve(path).toURL().openConnection();
        if (token != null) {
            connection.setRequestProperty("authorization", "Bearer " + token);
        }
        if (range != null) {
            connection.setRequestProperty("range", range);
        } else if (connection.getResponseCode() != OK) {
            throw new IOException(path + " was answered with " + connection.getResponseCode());
        }
        return connection;
    }
}
