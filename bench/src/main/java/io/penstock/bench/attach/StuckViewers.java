package io.penstock.bench.attach;

import io.penstock.bench.fetch.Flood;
import io.penstock.bench.load.LoadedServer;
import io.penstock.bench.soak.SoakFailure;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Many viewers watch a flood, and some of them read nothing: the others see all of it meanwhile, the server holds
 * nothing for the stuck ones, and these see all of it too when they resume.
 */
final class StuckViewers {

    private static final int BUFFER_BYTES = 256 << 10;

    /** The most that viewers share plus the sockets' buffers; far less than what the stuck viewers have not read. */
    private static final long HELD_BYTES = 96L << 20;

    /** A viewer that reads nothing for this long is cut off; a slow machine may need as long to serve the others. */
    private static final double CUT_OFF_SECONDS = 75;

    private final LoadedServer server;
    private final Flood flood;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] compared = new byte[BUFFER_BYTES];
    private final Gate gate;

    /** @param server started with {@link ServerMemory#OPTION} */
    StuckViewers(LoadedServer server, long bytes) throws IOException, InterruptedException {
        Path folder = Objects.requireNonNull(server.data().getParent());
        this.server = server;
        this.flood = Flood.in(folder, bytes);
        this.gate = Gate.in(folder);
    }

    void run(PrintStream out, int viewers, int stuck) throws IOException, InterruptedException {
        AttachedServer attached = AttachedServer.of(server);
        String task = attached.tasks().begin(gate.waiting() + "; " + flood.command(), "pipes");
        List<AttachedSocket> awake = sockets(attached, task, viewers - stuck);
        List<AttachedSocket> asleep = sockets(attached, task, stuck);
        try {
            ServerMemory before = ServerMemory.of(server);
            gate.release();
            double seconds = readAll(awake, false).seconds();
            ServerMemory after = ServerMemory.of(server);
            long heap = after.heapBytes() - before.heapBytes();
            long other = after.otherBytes() - before.otherBytes();
            Read late = readAll(asleep, seconds > CUT_OFF_SECONDS);
            out.printf(
                    "%d viewers, %d of them stuck: the others saw %,d bytes each, %.0f MB/s in all; meanwhile the server's heap grew"
                            + " by %.1f MiB and its buffers by %.1f; of the stuck ones %d saw all of it, within %.1f s, and %d were cut off%n",
                    viewers,
                    stuck,
                    flood.bytes(),
                    flood.bytes() / 1e6 * awake.size() / seconds,
                    heap / 1048576.0,
                    other / 1048576.0,
                    stuck - late.cutOff(),
                    late.seconds(),
                    late.cutOff());
            if (heap > HELD_BYTES || other > HELD_BYTES) {
                throw new SoakFailure("the server holds " + heap + " bytes on its heap and " + other + " outside of it"
                        + " for viewers who do not read, more than " + HELD_BYTES);
            }
        } finally {
            for (AttachedSocket socket : awake) {
                socket.close();
            }
            for (AttachedSocket socket : asleep) {
                socket.close();
            }
        }
    }

    private List<AttachedSocket> sockets(AttachedServer attached, String task, int count) throws IOException {
        var sockets = new ArrayList<AttachedSocket>();
        for (int i = 0; i < count; i++) {
            sockets.add(new AttachedSocket(attached, task, this::look));
        }
        return sockets;
    }

    private record Read(double seconds, int cutOff) {}

    private Read readAll(List<AttachedSocket> sockets, boolean mayBeCutOff) throws IOException {
        long begun = System.nanoTime();
        int cutOff = 0;
        try (Selector selector = Selector.open()) {
            for (AttachedSocket socket : sockets) {
                socket.readWith(selector);
            }
            int done = 0;
            while (done < sockets.size()) {
                if (selector.select(60_000) == 0) {
                    throw new SoakFailure((sockets.size() - done) + " viewers see nothing more");
                }
                for (var key : selector.selectedKeys()) {
                    boolean over;
                    try {
                        over = ((AttachedSocket) key.attachment()).read(buffer) == flood.bytes();
                    } catch (EOFException e) {
                        if (!mayBeCutOff) {
                            throw e;
                        }
                        over = true;
                        cutOff++;
                    }
                    if (over) {
                        key.cancel();
                        done++;
                    }
                }
                selector.selectedKeys().clear();
            }
        }
        return new Read((System.nanoTime() - begun) / 1e9, cutOff);
    }

    /** Compares every byte of every viewer. */
    private void look(long offset, ByteBuffer from, int at, int length) {
        from.get(at, compared, 0, length);
        if (!flood.has(offset, compared, length)) {
            throw new SoakFailure("other bytes came than were written, from " + offset);
        }
    }
}
