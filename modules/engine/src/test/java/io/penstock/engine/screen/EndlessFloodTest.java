package io.penstock.engine.screen;

import static io.penstock.testbed.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.artifact.ArtifactWriter;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.ReadOtherwise;
import io.penstock.engine.log.StreamWriter;
import io.penstock.engine.log.store.MemoryFrameLog;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.JsonText;
import io.penstock.frames.Limits;
import io.penstock.frames.LogRef;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Screens of a program that writes faster than its screen is computed: after each read there is more output. */
final class EndlessFloodTest {

    private static final String TASK = "flood";
    private static final byte[] LINES =
            "\u001b[31mred\u001b[0m and more\r\n".repeat(1000).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private final Vertx vertx = Vertx.vertx();
    private final MemoryFrameLog log = new MemoryFrameLog(vertx);
    private ArtifactStore artifacts;
    private ArtifactWriter bytes;
    private StreamWriter frames;
    private Screens screens;

    @BeforeEach
    void begin() {
        artifacts = ArtifactStore.open(folder);
        bytes = artifacts.create(TASK + ".pty", Long.MAX_VALUE);
        frames = await(log.create(StreamId.task(TASK)));
        await(frames.append(
                1,
                new ToolTaskSpawned(
                        "bash",
                        new JsonText("{}"),
                        null,
                        null,
                        ExecutionMode.PTY,
                        null,
                        List.of(new LogRef(Channel.PTY, TASK + ".pty", "artifacts/flood.bytes")),
                        null,
                        null,
                        Actor.user("tester"))));
        for (int i = 0; i < 100; i++) {
            write();
        }
        screens = Screens.open(vertx, new Flooding(), artifacts, new ScreenUpdater());
    }

    @AfterEach
    void end() {
        await(screens.close());
        await(vertx.close());
        artifacts.close();
    }

    private synchronized void write() {
        long offset = bytes.bytesTotal();
        bytes.append(ByteBuffer.wrap(LINES));
        await(frames.append(offset, new ToolTaskOutputDelta(Channel.PTY, offset, LINES.length, offset + LINES.length)));
    }

    @Test
    void callerGetsTheScreenBeforeTheFloodEnds() {
        long there = frames.nextSeq();
        ScreenSnapshot first = await(screens.now(TASK, () -> false));
        assertTrue(first.seq() >= there - 1, first.seq() + " of " + there);
        assertTrue(first.screen().text().contains("red and more"));
        long later = frames.nextSeq();
        assertTrue(later > there);
        assertTrue(await(screens.now(TASK, () -> false)).seq() >= later - 1);
    }

    @Test
    void concurrentCallersDoNotWaitForLaterOutput() {
        long there = frames.nextSeq();
        List<Future<ScreenSnapshot>> asked = IntStream.range(0, 20)
                .mapToObj(i -> screens.now(TASK, () -> false))
                .toList();
        long thereThen = frames.nextSeq();
        for (Future<ScreenSnapshot> screen : asked) {
            long seq = await(screen).seq();
            assertTrue(there - 1 <= seq && seq < thereThen, there + " <= " + seq + " < " + thereThen);
        }
    }

    @Test
    void missingFrameIsRefusedAtOnce() {
        long last = frames.nextSeq() - 1;
        Failure none = assertThrows(Failure.class, () -> await(screens.at(TASK, Limits.WHOLE_NUMBER, () -> false)));
        assertEquals(FailureCode.INVALID_REQUEST, none.code());
        assertEquals(
                "The task " + TASK + " has no frame " + Limits.WHOLE_NUMBER + "; its last is " + (frames.nextSeq() - 1),
                none.getMessage());
        assertTrue(frames.nextSeq() - last < 5, "after " + (frames.nextSeq() - last) + " more");
    }

    /** A log that gets more frames with each read. */
    private final class Flooding extends ReadOtherwise {

        Flooding() {
            super(EndlessFloodTest.this.log);
        }

        @Override
        public Future<Page> read(StreamId stream, long fromSeq, int maxFrames) {
            write();
            return log.read(stream, fromSeq, maxFrames);
        }
    }
}
