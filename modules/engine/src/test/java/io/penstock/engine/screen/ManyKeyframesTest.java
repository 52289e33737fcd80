package io.penstock.engine.screen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.ArtifactStore;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.JsonText;
import io.penstock.frames.LogRef;
import io.penstock.frames.StreamId;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
final class ManyKeyframesTest {

    private static final StreamId STREAM = StreamId.task("t");
    private static final int ROUNDS = 1_000;
    private static final byte[] LINES = "0123456789abcde\n".repeat(4096).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    /** A client comes and leaves repeatedly. Evicting the screen each time must not make keyframes more frequent than due. */
    @Test
    void repeatedEvictionDoesNotMultiplyKeyframes() throws IOException {
        var store = ArtifactStore.open(folder);
        var bytes = store.create("t.pty", Long.MAX_VALUE);
        var terminal = new TerminalSpec(STREAM, spec(), 1, new TerminalSize(24, 80));
        Artifact artifact = store.find("t.pty");
        for (int round = 0; round < ROUNDS; round++) {
            long offset = bytes.bytesTotal();
            bytes.append(ByteBuffer.wrap(LINES));
            var tape = ScreenReplay.fromLastKeyframe(terminal, artifact);
            for (long seq = tape.nextSeq(); seq <= round; seq++) {
                long from = seq * LINES.length;
                tape.play(
                        List.of(new Frame(
                                STREAM,
                                seq,
                                1,
                                new ToolTaskOutputDelta(Channel.PTY, from, LINES.length, from + LINES.length))),
                        Long.MAX_VALUE);
            }
            assertEquals(offset + LINES.length, tape.offset());
            tape.saveKeyframe();
        }
        int kept = kept(artifact);
        // One in each of the first 512 rounds, then in every other one.
        assertTrue(700 < kept && kept < 800, kept + " keyframes of " + ROUNDS + " rounds");
        store.close();
    }

    private static int kept(Artifact artifact) throws IOException {
        try (FileChannel file = artifact.sidecar()) {
            int kept = 0;
            for (long at = 0; at < file.size(); kept++) {
                var length = ByteBuffer.allocate(4);
                file.read(length, at);
                at += Keyframe.HEADER_BYTES + length.getInt(0);
            }
            return kept;
        }
    }

    private static ToolTaskSpawned spec() {
        return new ToolTaskSpawned(
                "bash",
                new JsonText("{}"),
                null,
                null,
                ExecutionMode.PTY,
                null,
                List.of(new LogRef(Channel.PTY, "t.pty", "artifacts/t.bytes")),
                null,
                null,
                Actor.user("tester"));
    }
}
