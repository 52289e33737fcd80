package io.penstock.bench.attach;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A viewer's connection: a WebSocket with as little code as possible, so that the load is the server's and not the
 * client's.
 */
final class AttachedSocket implements AutoCloseable {

    private static final String SWITCHED = "HTTP/1.1 101 ";
    private static final String HEAD_END = "\r\n\r\n";
    private static final int BINARY_MESSAGE = 0x82;
    /** Masked with zeros, like input, and without content. */
    static final byte[] PONG = {(byte) 0x8a, (byte) 0x80, 0, 0, 0, 0};

    private static final int MASKED = 0x80;
    private static final int SHORT_BYTES = 125;
    private static final int INPUT = 1;

    private final SocketChannel channel;
    private final SeenOutput output;
    private final boolean entries;
    private final ByteBuffer typed = ByteBuffer.allocateDirect(SHORT_BYTES + 6);
    private long op;

    AttachedSocket(AttachedServer server, String task, SeenOutput.Bytes bytes) throws IOException {
        this.entries = server.entries();
        this.output = new SeenOutput(entries, bytes);
        this.channel = SocketChannel.open(new InetSocketAddress(
                server.address().getHost(), server.address().getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.write(ByteBuffer.wrap(server.upgrade(task).getBytes(StandardCharsets.US_ASCII)));
        String head = head();
        if (!head.startsWith(SWITCHED)) {
            throw new IOException("attaching to " + task + " was answered with " + head);
        }
    }

    private String head() throws IOException {
        var head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf(HEAD_END) < 0) {
            if (channel.read(one.clear()) < 0) {
                throw new EOFException("the connection ended after " + head);
            }
            head.append((char) one.get(0));
        }
        return head.toString();
    }

    void readWith(Selector selector) throws IOException {
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Reads at most one buffer; returns the total size of the output so far. */
    long read(ByteBuffer buffer) throws IOException {
        if (channel.read(buffer.clear()) < 0) {
            throw new EOFException(
                    "the connection ended " + output.closed() + " after " + output.seen() + " bytes of output");
        }
        output.add(buffer.flip());
        if (output.wasAsked()) {
            write(typed.clear().put(PONG).flip());
        }
        return output.seen();
    }

    /** Sends a short input, masked with zeros, which changes nothing. */
    void type(byte... input) throws IOException {
        int length = entries ? input.length + 3 + numberBytes(++op) - 1 : input.length;
        typed.clear().put((byte) BINARY_MESSAGE).put((byte) (MASKED | length)).putInt(0);
        if (entries) {
            typed.put((byte) INPUT).put((byte) (length - 2));
            long left = op;
            for (; left > 0x7f; left >>= 7) {
                typed.put((byte) (left | 0x80));
            }
            typed.put((byte) left);
        }
        write(typed.put(input).flip());
    }

    private void write(ByteBuffer frame) throws IOException {
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    private static int numberBytes(long number) {
        return Math.max(1, (70 - Long.numberOfLeadingZeros(number)) / 7);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
