package io.penstock.bench.attach;

import io.penstock.bench.soak.SoakFailure;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A viewer that reconnects where it was, however often it is cut off: each frame has to be the next, each piece of
 * output right after the previous one. It repeats its input until that is answered.
 */
final class JsonViewer {

    private static final int TEXT_MESSAGE = 0x81;
    private static final int MASKED = 0x80;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int ENDED = 1000;
    private static final int TIMEOUT_MS = 60_000;
    private static final char NOT_TOLD = '\0';

    private final String name;
    private final String task;
    private final @Nullable String token;
    private final StringBuilder text = new StringBuilder();
    private final TreeMap<Long, String> unanswered = new TreeMap<>();
    private Socket socket = new Socket();
    private DataInputStream in = new DataInputStream(InputStream.nullInputStream());
    private long nextSeq;
    private long offset;
    private long ops;
    private boolean ended;

    JsonViewer(String name, String task, @Nullable String token) {
        this.name = name;
        this.task = task;
        this.token = token;
    }

    long nextSeq() {
        return nextSeq;
    }

    long outputBytes() {
        return offset;
    }

    /**
     * Whether this is the output shown, as far as frames had room for it: a frame has the first 8 KiB of a gathered
     * piece.
     */
    boolean hasSeen(String expected) {
        boolean same = offset == expected.length() && text.length() == expected.length();
        for (int i = 0; same && i < expected.length(); i++) {
            same = text.charAt(i) == expected.charAt(i) || text.charAt(i) == NOT_TOLD;
        }
        return same;
    }

    /** Whether nothing more will come. */
    boolean hasEnded() {
        return ended;
    }

    int unanswered() {
        return unanswered.size();
    }

    void attach(URI server) throws IOException {
        socket = new Socket(server.getHost(), server.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MS);
        String path = "/tasks/" + task + "/attach?from_seq=" + nextSeq + "&client=" + name;
        String upgrade = AttachedServer.upgrade(server, token, path, "penstock.v1.json");
        socket.getOutputStream().write(upgrade.getBytes(StandardCharsets.US_ASCII));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101 ")) {
            throw new SoakFailure("attaching was answered with " + head);
        }
        for (var input : unanswered.entrySet()) {
            send(input.getKey(), input.getValue());
        }
    }

    /** Without a close handshake, in whatever state. */
    void cutOff() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    void type(String input) throws IOException {
        unanswered.put(++ops, input);
        send(ops, input);
    }

    private void send(long op, String input) throws IOException {
        byte[] message = new JsonObject()
                .put("type", "stdin")
                .put("op", op)
                .put("text", input)
                .toBuffer()
                .getBytes();
        // Masked with zeros, which changes nothing. The input is too short to need a longer length field.
        var bytes = ByteBuffer.allocate(message.length + 6)
                .put((byte) TEXT_MESSAGE)
                .put((byte) (MASKED | message.length))
                .putInt(0)
                .put(message);
        socket.getOutputStream().write(bytes.array());
    }

    /** Reads one message. */
    void read() throws IOException {
        int opcode = in.readUnsignedByte() & 0xf;
        int length = in.readUnsignedByte();
        length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
        byte[] message = new byte[length];
        in.readFully(message);
        if (opcode == CLOSE) {
            ended = length > 1 && ByteBuffer.wrap(message).getShort() == ENDED;
            socket.close();
            if (!ended) {
                throw new EOFException("closed");
            }
        } else if (opcode == PING) {
            socket.getOutputStream().write(AttachedSocket.PONG);
        } else if (opcode <= 1) {
            new String(message, StandardCharsets.UTF_8)
                    .lines()
                    .map(JsonObject::new)
                    .forEach(this::see);
        }
    }

    private void see(JsonObject object) {
        String type = object.getString("type");
        if (type.equals("attach_done")) {
            unanswered.remove(object.getLong("op"));
        } else if (type.equals("attach_refused")) {
            throw new SoakFailure(name + " was refused: " + object);
        } else if (!type.startsWith("attach_")) {
            if (object.getLong("seq") != nextSeq) {
                throw new SoakFailure(
                        name + " was shown frame " + object.getLong("seq") + " where " + nextSeq + " is next");
            }
            nextSeq++;
            if (type.equals("tool_task_output_delta")) {
                output(object);
            }
        }
    }

    private void output(JsonObject delta) {
        JsonObject log = delta.getJsonObject("artifacts").getJsonObject("log");
        if (log.getLong("offset_bytes") != offset) {
            throw new SoakFailure(name + " was shown output from " + log.getLong("offset_bytes") + " on where " + offset
                    + " is next");
        }
        offset += log.getLong("bytes");
        text.append(delta.getString("chunk"));
        text.repeat(NOT_TOLD, (int) offset - text.length());
    }
}
