package io.penstock.bench.attach;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A proxy between viewers and a server that cuts each connection after some bytes, even in the middle of a message. */
final class CuttingRelay implements AutoCloseable {

    private static final int BUFFER_BYTES = 4096;

    private final URI server;
    private final ServerSocket listening;
    private final Random random;
    private final int mostBytes;
    private final AtomicInteger cuts = new AtomicInteger();

    /** @param mostBytes the most bytes, of both directions, after which a connection is cut */
    CuttingRelay(URI server, long seed, int mostBytes) throws IOException {
        this.server = server;
        this.random = new Random(seed);
        this.mostBytes = mostBytes;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** In the form of the server's address. */
    URI address() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    int cuts() {
        return cuts.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket viewer = listening.accept();
                Socket onwards = new Socket(server.getHost(), server.getPort());
                viewer.setTcpNoDelay(true);
                onwards.setTcpNoDelay(true);
                var left = new AtomicLong(1 + random.nextInt(mostBytes));
                Thread.ofVirtual().start(() -> relay(viewer, onwards, left));
                Thread.ofVirtual().start(() -> relay(onwards, viewer, left));
            }
        } catch (IOException e) {
            // The relay is closed.
        }
    }

    private void relay(Socket from, Socket to, AtomicLong left) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                long may = left.getAndAdd(-length);
                out.write(buffer, 0, Math.clamp(may, 0, length));
                if (may <= length) {
                    cuts.incrementAndGet();
                    return;
                }
            }
        } catch (IOException e) {
            // The other direction has cut the connection.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
