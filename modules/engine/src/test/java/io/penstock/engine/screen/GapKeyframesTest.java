package io.penstock.engine.screen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.SmallDisk;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskNotice;
import io.penstock.frames.ToolTaskOutputGap;
import io.penstock.testbed.TestBed;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A full disk leaves out output that a living terminal shows: no stored screen may show it. On a real small disk. */
@Tag("PURE")
@ExtendWith(VertxExtension.class)
class GapKeyframesTest {

    private SmallDisk disk;
    private ScreenGround ground;
    private String task = "";

    @BeforeEach
    void start(TestBed bed) throws Exception {
        disk = new SmallDisk(bed.folder(), 64 << 20);
        bed.add(disk::unmount);
        ground = bed.add(new ScreenGround(bed.folder()));
        task = ground.spawn(
                24, 80, "/bin/bash", "-c", "stty -echo; echo begun; while read -r line; do eval \"$line\"; done");
        ground.untilText(task, "begun");
    }

    private int commands;

    /** Runs a command in the terminal, and waits for its end. */
    private void run(String command) {
        String end = "end of " + commands++;
        ground.type(task, command + "; echo '" + end + "'\n");
        ground.untilText(task, end);
    }

    private List<Frame> frames() {
        long last = ground.log.nextSeq(StreamId.task(task)).await() - 1;
        return ground.frames(task, frame -> frame.seq() == last);
    }

    private boolean has(Class<? extends FrameBody> type) {
        return frames().stream().anyMatch(frame -> type.isInstance(frame.body()));
    }

    @Test
    void keyframesBehindAGapShowOnlyWhatIsStored() throws Exception {
        disk.fill();
        do {
            run("seq 1 300");
        } while (!has(TaskNotice.class));
        run("printf '\\e[41mred'");
        disk.empty();
        do {
            run("echo more");
        } while (!has(ToolTaskOutputGap.class));

        Artifact artifact = ground.artifacts.find(task + ".pty");
        long gapEnd = artifact.storedBytes();
        assertTrue(artifact.missingBefore(gapEnd) > 0);
        var keyframes = new Keyframes(artifact);
        Keyframe last = keyframes.before(Long.MAX_VALUE);
        while (last == null || last.offset() < gapEnd) {
            // Output that has to be emulated, enough for a keyframe.
            run("for i in {1..15000}; do printf '\\e[H%80s' $i; done");
            assertTrue(artifact.storedBytes() < gapEnd + 12L * Limits.SCREEN_KEYFRAME_BYTES, "no keyframe is made");
            last = keyframes.before(Long.MAX_VALUE);
        }

        List<Frame> frames = frames();
        var replay = ScreenReplay.before(TerminalSpec.of(frames.getFirst()), artifact, -1);
        List<Frame> upTo = frames.subList(0, (int) last.seq() + 1);
        int played = 0;
        while (played < upTo.size() || replay.isBehind()) {
            played += replay.play(upTo.subList(played, upTo.size()), Long.MAX_VALUE);
        }
        assertEquals(replay.now().screen(), last.emulator().state());
    }
}
