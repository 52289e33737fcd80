package io.penstock.server.attach;

import io.penstock.server.ServerProcess;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A WebSocket with control over every byte, to send what no library would. */
public final class BareSocket implements AutoCloseable {

    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    /** In total: pings arrive even while the caller waits for something else. */
    private static final int PATIENCE_MS = 60_000;

    private static final int LAST = 0x80;

    /** @param opcode of its first frame */
    public record Message(int opcode, byte[] bytes) {

        public String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        public int closeCode() {
            return bytes.length < 2 ? 1005 : ByteBuffer.wrap(bytes).getShort();
        }
    }

    private final Socket socket;
    private final DataInputStream in;
    private int messages;
    private int pings;
    private final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);

    BareSocket(ServerProcess server, String pathAndQuery, String subprotocol) throws IOException {
        this(URI.create(server.address()), pathAndQuery, subprotocol);
    }

    public BareSocket(URI address, String pathAndQuery, String subprotocol) throws IOException {
        this(address, pathAndQuery, subprotocol, "none");
    }

    public BareSocket(URI address, String pathAndQuery, String subprotocol, String token) throws IOException {
        this("Authorization: Bearer " + token, address, pathAndQuery, subprotocol);
    }

    /** @param credential the whole header */
    public BareSocket(String credential, URI address, String pathAndQuery, String subprotocol) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.setSoTimeout(PATIENCE_MS);
        String request = "GET " + pathAndQuery + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\n" + credential
                + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: cGVuc3RvY2stcGVuc3RvYw==\r\nSec-WebSocket-Protocol: " + subprotocol + "\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        in = new DataInputStream(socket.getInputStream());
    }

    /** Reads the answer to the upgrade, which precedes everything else. */
    public BareSocket open() throws IOException {
        head();
        return this;
    }

    /** The same, and returns it. */
    String head() throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException(head.toString());
        }
        return head.toString();
    }

    public void send(String text) throws IOException {
        write(frame(LAST | TEXT, text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Sends all of them in as few packets as possible. */
    void send(List<String> texts) throws IOException {
        var all = new ByteArrayOutputStream();
        for (String text : texts) {
            all.writeBytes(frame(LAST | TEXT, text.getBytes(StandardCharsets.UTF_8)));
        }
        write(all.toByteArray());
    }

    /** @param more whether more frames of the message follow */
    public void send(int opcode, boolean more, byte[] content) throws IOException {
        write(frame(more ? opcode : LAST | opcode, content));
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Masked with zeros, which leaves the content unchanged. */
    static byte[] frame(int first, byte[] content) {
        ByteBuffer head = ByteBuffer.allocate(14).put((byte) first);
        if (content.length < 126) {
            head.put((byte) (0x80 | content.length));
        } else if (content.length < 1 << 16) {
            head.put((byte) (0x80 | 126)).putShort((short) content.length);
        } else {
            head.put((byte) (0x80 | 127)).putLong(content.length);
        }
        head.putInt(0).flip();
        return ByteBuffer.allocate(head.remaining() + content.length)
                .put(head)
                .put(content)
                .array();
    }

    /** Whether everything received has been read. */
    boolean isQuiet() throws IOException {
        return in.available() == 0;
    }

    /** The next complete message, or a ping, a pong or the close. */
    public Message next() throws IOException {
        var message = new ByteArrayOutputStream();
        int opcode = -1;
        while (true) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("what was waited for did not come within " + PATIENCE_MS + " ms, but "
                        + messages + " messages and " + pings + " pings did");
            }
            int first = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            length = length == 126 ? in.readUnsignedShort() : length == 127 ? (int) in.readLong() : length;
            byte[] bytes = in.readNBytes(length);
            if ((first & 8) != 0) {
                pings += (first & 0xf) == PING ? 1 : 0;
                return new Message(first & 0xf, bytes);
            }
            opcode = opcode < 0 ? first & 0xf : opcode;
            message.writeBytes(bytes);
            if ((first & LAST) != 0) {
                messages++;
                return new Message(opcode, message.toByteArray());
            }
        }
    }

    /** Lines of text messages up to one that contains these words. */
    List<String> until(String words) throws IOException {
        var lines = new ArrayList<String>();
        while (true) {
            Message message = next();
            if (message.opcode() == CLOSE) {
                throw new AssertionError("closed with " + message.closeCode() + " after " + lines);
            }
            if (message.opcode() == TEXT) {
                lines.addAll(message.text().lines().toList());
                if (message.text().contains(words)) {
                    return lines;
                }
            }
        }
    }

    /** The code of the close, after any other messages. */
    int closeCode() throws IOException {
        while (true) {
            Message message = next();
            if (message.opcode() == CLOSE) {
                return message.closeCode();
            }
        }
    }

    /** The connection ends, with or without a close before it, while this is being sent or afterwards. */
    void cutOffAt(byte[]... sent) throws IOException {
        try {
            for (byte[] each : sent) {
                write(each);
            }
            closeCode();
        } catch (EOFException | SocketException e) {
            // As expected.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
