package io.penstock.engine.log;

import static io.penstock.engine.log.FrameLogContract.fresh;
import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.ledger.AppendAMillion;
import io.penstock.engine.ledger.Ledger;
import io.penstock.engine.ledger.LedgerFolder;
import io.penstock.engine.log.postgres.TestDatabase;
import io.penstock.frames.StreamId;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The memory of the log: a little for each stream in use, nothing for the others, independent of their length. */
@Tag("long")
class MemoryTest {

    private static final int STREAMS = 100_000;

    /** With its writer, its name, and both entries in the index. */
    private static final long OPEN_STREAM_BYTES = 512;

    /** Nothing beyond the drift of a whole JVM. */
    private static final long CLOSED_STREAM_BYTES = 32;

    private final Vertx vertx = Vertx.vertx();
    private final LedgerFolder folder = new LedgerFolder();

    @AfterEach
    void closeAll() {
        await(vertx.close());
        folder.close();
    }

    @Test
    void quietStreamsCostOneEntryEachAndNothingOnceClosed() {
        Ledger ledger = folder.open(vertx);
        try (StreamWriter warm = await(ledger.frames().create(fresh()))) {
            await(warm.append(1, Bodies.notice(0)));
        }
        await(ledger.drained());
        var writers = new ArrayList<StreamWriter>(STREAMS);
        long before = usedHeap();
        for (int i = 0; i < STREAMS; i++) {
            StreamWriter writer = await(ledger.frames().create(fresh()));
            await(writer.append(1, Bodies.notice(i)));
            writers.add(writer);
        }
        await(ledger.drained());
        long open = (usedHeap() - before) / STREAMS;
        assertEquals(STREAMS, ledger.health().streamsInUse());

        StreamId last = writers.getLast().stream();
        writers.forEach(StreamWriter::close);
        writers.clear();
        assertEquals(0, ledger.health().streamsInUse());
        assertEquals(1, await(ledger.frames().nextSeq(last)));
        long closed = (usedHeap() - before) / STREAMS;
        System.out.println("figure: a quiet stream takes " + open + " bytes of heap with its writer, " + closed
                + " when it is closed");
        assertTrue(open <= OPEN_STREAM_BYTES, open + " bytes for an open stream");
        assertTrue(closed <= CLOSED_STREAM_BYTES, closed + " bytes for a closed stream");
        await(ledger.close());
    }

    private static long usedHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long used = Long.MAX_VALUE;
        // References that are cleared late let a second and a third collection free more.
        for (int i = 0; i < 3; i++) {
            memory.gc();
            used = Math.min(used, memory.getHeapMemoryUsage().getUsed());
        }
        return used;
    }

    @Test
    void aStreamOfAMillionFramesFitsIntoASmallHeap() throws IOException, InterruptedException {
        Process child = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AppendAMillion.class.getName(),
                        folder.folder.resolve("journal").toString(),
                        TestDatabase.postgres().connectOptions().getHost(),
                        folder.schema,
                        TestDatabase.postgres().connectOptions().getPassword()))
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(child.waitFor(60, TimeUnit.SECONDS), said);
        assertEquals(0, child.exitValue(), said);
        assertTrue(said.contains("1000000 frames"), said);
    }
}
