package io.penstock.bench.attach;

import io.penstock.bench.fetch.Flood;
import io.penstock.bench.peer.ProcessTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * A program that writes as fast as it can, and many viewers that see all of it: every byte is counted, one run in 64 is
 * compared.
 */
final class FloodedViewers {

    private static final int BUFFER_BYTES = 256 << 10;
    private static final int COMPARED_OF = 64;

    /** @param seconds from the release of the program until the last viewer had the last byte */
    record Run(double seconds, double serverCpuSeconds, double clientCpuSeconds) {}

    private final Flood flood;
    // Two gates: the shell of one run may still be leaving the last gate when the next run opens the first.
    private final Gate toBegin;
    private final Gate toEnd;
    private final int viewers;
    private final String mode;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final byte[] compared = new byte[BUFFER_BYTES];
    private long runs;

    /** @param mode "pipes" or "pty" */
    FloodedViewers(Path folder, Flood flood, int viewers, String mode) throws IOException, InterruptedException {
        this.flood = flood;
        this.viewers = viewers;
        this.mode = mode;
        this.toBegin = Gate.in(folder);
        this.toEnd = Gate.in(folder);
    }

    Run run(AttachedServer server) throws IOException, InterruptedException {
        String raw = mode.equals("pty") ? "stty raw -echo; " : "";
        // The program stays until all viewers have seen everything: node-pty loses the last output of a terminal whose
        // program has ended.
        String task =
                server.tasks().begin(raw + toBegin.waiting() + "; (" + flood.command() + "); " + toEnd.waiting(), mode);
        var sockets = new ArrayList<AttachedSocket>();
        try (Selector selector = Selector.open()) {
            for (int i = 0; i < viewers; i++) {
                var socket = new AttachedSocket(server, task, this::look);
                sockets.add(socket);
                socket.readWith(selector);
            }
            ProcessHandle here = ProcessHandle.current();
            long cpuOfServer = server.cpuNanos().getAsLong();
            long cpuOfClient = ProcessTime.of(here);
            long begun = System.nanoTime();
            toBegin.release();
            readAll(selector);
            toEnd.release();
            double seconds = (System.nanoTime() - begun) / 1e9;
            return new Run(
                    seconds,
                    (server.cpuNanos().getAsLong() - cpuOfServer) / 1e9,
                    (ProcessTime.of(here) - cpuOfClient) / 1e9);
        } finally {
            for (AttachedSocket socket : sockets) {
                socket.close();
            }
            server.forgetting().output(task, mode.equals("pty") ? "pty" : "stdout");
        }
    }

    private void readAll(Selector selector) throws IOException {
        int done = 0;
        while (done < viewers) {
            selector.select();
            for (var key : selector.selectedKeys()) {
                if (((AttachedSocket) key.attachment()).read(buffer) == flood.bytes()) {
                    key.cancel();
                    done++;
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private void look(long offset, ByteBuffer from, int at, int length) throws IOException {
        if (runs++ % COMPARED_OF == 0) {
            from.get(at, compared, 0, length);
            if (!flood.has(offset, compared, length)) {
                throw new IOException("other bytes came than were written, from " + offset);
            }
        }
    }
}
