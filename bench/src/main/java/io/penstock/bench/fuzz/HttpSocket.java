package io.penstock.bench.fuzz;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A connection that can send any bytes, since HTTP clients refuse to send malformed requests. */
final class HttpSocket implements AutoCloseable {

    /** After this time a caller counts as hanging; answers that may wait longer are requested with a shorter wait. */
    static final long ANSWER_MS = 15_000;

    /** The most that is read of one body; the rest is left unread, as callers may do. */
    private static final int BODY_BYTES = 1 << 20;

    private static final int HEAD_BYTES = 64 << 10;

    /** Switching protocols, no content, not modified. */
    private static final Set<Integer> BODILESS = Set.of(101, 204, 304);

    private final Socket socket;
    private final InputStream in;

    HttpSocket(URI server) throws IOException {
        this.socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), (int) ANSWER_MS);
        this.in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
    }

    InputStream in() {
        return in;
    }

    /** Sets how long the next reads wait for a byte. */
    void patience(long ms) throws IOException {
        socket.setSoTimeout((int) ms);
    }

    /** Sends the bytes; a server that has already refused the request may have closed the connection. */
    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Signals that no more bytes will follow. */
    void endOfRequest() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads an answer's head, and its body unless it is an endless stream. */
    HttpAnswer answer(boolean hasBody) throws IOException {
        String head = head();
        if (head.isEmpty()) {
            return HttpAnswer.CLOSED;
        }
        HttpAnswer answer = HttpAnswer.ofHead(head);
        String type = answer.headers().getOrDefault("content-type", "");
        boolean bodiless = !hasBody || BODILESS.contains(answer.status());
        if (bodiless || type.startsWith("text/event-stream")) {
            return answer;
        }
        return answer.with(body(answer));
    }

    private String head() throws IOException {
        patience(ANSWER_MS);
        var head = new ByteArrayOutputStream();
        int state = 0;
        while (state < 4) {
            int next = in.read();
            if (next < 0) {
                if (head.size() > 0) {
                    throw new IOException("the connection ended inside the head of an answer: "
                            + head.toString(StandardCharsets.ISO_8859_1));
                }
                return "";
            }
            head.write(next);
            if (head.size() > HEAD_BYTES) {
                throw new IOException("an answer's head has more than " + HEAD_BYTES + " bytes");
            }
            boolean expected = next == (state % 2 == 0 ? '\r' : '\n');
            state = expected ? state + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private byte[] body(HttpAnswer answer) throws IOException {
        String length = answer.header("content-length");
        if (length != null) {
            return in.readNBytes((int) Math.min(BODY_BYTES, Long.parseLong(length)));
        }
        if ("chunked".equals(answer.header("transfer-encoding"))) {
            return chunks();
        }
        return in.readNBytes(BODY_BYTES);
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        long upNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ANSWER_MS);
        while (body.size() < BODY_BYTES) {
            if (System.nanoTime() > upNanos) {
                throw new SocketTimeoutException("a body of chunks has no end after " + ANSWER_MS + " ms");
            }
            int size = Integer.parseInt(line(), 16);
            body.write(in.readNBytes(size));
            line();
            if (size == 0) {
                break;
            }
        }
        return body.toByteArray();
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended inside a body of chunks");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
