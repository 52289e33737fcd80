package io.penstock.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client that disconnects in the middle of a download leaves nothing open. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(VertxExtension.class)
class BrokenDownloadsTest {

    private static final long DEADLINE_MS = 20_000;

    private RunningEdge edge;
    private String task;

    @BeforeAll
    void start(TestBed bed) {
        edge = bed.add(new RunningEdge(bed.folder()));
        // More than the buffers of both sockets hold.
        task = edge.spawn("head -c 16000000 /dev/zero", "pipes");
        edge.ended(task);
    }

    @Test
    void fileIsClosedWhenTheClientOfAWholeDisconnects() throws Exception {
        breakOff("");
    }

    @Test
    void fileIsClosedWhenTheClientOfPartsDisconnects() throws Exception {
        breakOff("Range: bytes=0-7000000,8000000-15000000\r\n");
    }

    private void breakOff(String range) throws Exception {
        try (var socket = new Socket("127.0.0.1", edge.port())) {
            socket.setSoTimeout((int) DEADLINE_MS);
            socket.getOutputStream()
                    .write(("GET /artifacts/" + task + ".stdout HTTP/1.1\r\nHost: localhost\r\n" + range
                                    + "Authorization: Bearer " + edge.token + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertEquals('H', socket.getInputStream().read());
            edge.closeUnread();
            edge.closeUnread();
            assertTrue(opened() > 0, "the client does not read, so it is being sent");
        }
        var closed = new CountDownLatch(1);
        long timer = edge.vertx.setPeriodic(5, tick -> {
            // Closes only files without readers.
            edge.closeUnread();
            if (opened() == 0) {
                closed.countDown();
            }
        });
        assertTrue(closed.await(DEADLINE_MS, TimeUnit.MILLISECONDS), "the file is still open");
        edge.vertx.cancelTimer(timer);
    }

    /** How often this process has the file open. */
    private long opened() {
        try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(this::isTheFile).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isTheFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).getFileName().toString().equals(task + ".stdout.bytes");
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
