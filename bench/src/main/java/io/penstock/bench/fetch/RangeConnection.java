package io.penstock.bench.fetch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A connection that requests one random range after another. It checks each answer's head, counts its body, and
 * compares some bodies with the file.
 */
final class RangeConnection implements AutoCloseable {

    /** Comparing reads the file again; at one in 64 this costs a hundredth. */
    private static final int COMPARED_OF = 64;

    private static final int HEAD_BYTES = 4096;

    private final Target target;
    private final MappedByteBuffer file;
    private final int rangeBytes;
    private final SplittableRandom random;
    private final SocketChannel channel;
    private final byte[] head = new byte[HEAD_BYTES];
    private int headLength;
    private boolean inBody;
    private int first;
    private int left;
    private boolean asking;
    private long answers;
    private long compared;

    RangeConnection(Target target, MappedByteBuffer file, int rangeBytes, long seed, Selector selector)
            throws IOException {
        this.target = target;
        this.file = file;
        this.rangeBytes = rangeBytes;
        this.random = new SplittableRandom(seed);
        this.channel = SocketChannel.open(
                new InetSocketAddress(target.file().getHost(), target.file().getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    long answers() {
        return answers;
    }

    long compared() {
        return compared;
    }

    /** Sends the next request after each answer, until it is stopped. */
    void begin() throws IOException {
        asking = true;
        ask();
    }

    void stopAsking() {
        asking = false;
    }

    boolean isWaiting() {
        return inBody || left > 0;
    }

    private void ask() throws IOException {
        first = random.nextInt(file.capacity() - rangeBytes + 1);
        left = rangeBytes;
        inBody = false;
        headLength = 0;
        String request = target.head() + "Range: bytes=" + first + "-" + (first + rangeBytes - 1) + "\r\n\r\n";
        ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        channel.write(bytes);
        if (bytes.hasRemaining()) {
            throw new IOException("a request of " + request.length() + " bytes does not fit into an empty socket");
        }
    }

    /** Reads what has arrived, up to the buffer's size. */
    void read(ByteBuffer buffer) throws IOException {
        buffer.clear();
        if (channel.read(buffer) < 0) {
            throw new IOException(target.name() + " closed a connection");
        }
        buffer.flip();
        if (!inBody) {
            readHead(buffer);
        }
        if (inBody) {
            readBody(buffer);
        }
    }

    private void readHead(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining() && !inBody) {
            if (headLength == HEAD_BYTES) {
                throw new IOException(target.name() + " answered with a head of more than " + HEAD_BYTES + " bytes");
            }
            head[headLength++] = buffer.get();
            inBody = headLength >= 4
                    && head[headLength - 1] == '\n'
                    && head[headLength - 2] == '\r'
                    && head[headLength - 3] == '\n';
        }
        if (inBody) {
            String text = new String(head, 0, headLength, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT);
            String range = "\r\ncontent-range: bytes " + first + "-" + (first + rangeBytes - 1) + "/" + file.capacity();
            if (!text.startsWith("http/1.1 206 ")
                    || !text.contains(range + "\r\n")
                    || !text.contains("\r\ncontent-length: " + rangeBytes + "\r\n")) {
                throw new IOException(target.name() + " gave an unexpected answer: " + text);
            }
        }
    }

    private void readBody(ByteBuffer buffer) throws IOException {
        int here = buffer.remaining();
        if (here > left) {
            throw new IOException(target.name() + " sent more than its answer has");
        }
        if (answers % COMPARED_OF == 0) {
            int at = first + rangeBytes - left;
            if (buffer.mismatch(file.slice(at, here)) >= 0) {
                throw new IOException(target.name() + " sent other bytes than the file has from " + at + " on");
            }
        }
        left -= here;
        if (left == 0) {
            if (answers++ % COMPARED_OF == 0) {
                compared++;
            }
            inBody = false;
            if (asking) {
                ask();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
