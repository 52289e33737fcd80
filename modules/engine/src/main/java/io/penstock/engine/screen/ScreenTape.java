package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.screen.terminal.Emulator;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A terminal that is led through a task's frames, forward only. For one thread at a time; blocks. */
final class ScreenTape {

    /** Of a flood of text: the more is told at once, the more of it need not be emulated. */
    private static final int FLOOD_BYTES = Limits.SCREEN_UNWANTED_BYTES;

    private final TaskTerminal terminal;
    private final Artifact artifact;
    private final @Nullable Keyframes keeping;
    private final Emulator emulator;
    private long nextSeq;
    private long offset;
    private boolean whole;
    private long keptOffset;
    private long keptEmulated;

    // What is to be read from the file, from the offset on, and how much of it at once.
    private int unread;
    private int readBytes = Limits.SCREEN_KEYFRAME_BYTES;

    /** @param keeping where keyframes are put on the way, or null */
    private ScreenTape(TaskTerminal terminal, Artifact artifact, @Nullable Keyframe from, @Nullable Keyframes keeping) {
        this.terminal = terminal;
        this.artifact = artifact;
        this.keeping = keeping;
        if (from == null) {
            TerminalSize size = terminal.size();
            emulator = new Emulator(rows(size.rows(), size.cols()), cols(size.cols()), Limits.SCREEN_HISTORY_LINES);
            whole = true;
        } else {
            emulator = from.emulator();
            nextSeq = from.seq() + 1;
            offset = from.offset();
            keptOffset = offset;
            keptEmulated = emulator.emulated();
            whole = from.whole();
        }
    }

    /** For one that keeps what it makes; it begins with the last that was kept. */
    static ScreenTape keeping(TaskTerminal terminal, Artifact artifact) {
        var keyframes = new Keyframes(artifact);
        return new ScreenTape(terminal, artifact, keyframes.before(Long.MAX_VALUE), keyframes);
    }

    /** For one look at a frame of the past. */
    static ScreenTape before(TaskTerminal terminal, Artifact artifact, long seq) {
        return new ScreenTape(terminal, artifact, new Keyframes(artifact).before(seq), null);
    }

    private static int rows(int rows, int cols) {
        return Math.min(rows, Math.max(1, Limits.SCREEN_CELLS / cols));
    }

    /** None is narrower than a wide character, as in xterm.js: else viewers would see something else than who joins later. */
    private static int cols(int cols) {
        return Math.max(2, cols);
    }

    TaskTerminal terminal() {
        return terminal;
    }

    long nextSeq() {
        return nextSeq;
    }

    /** How many bytes of output it has gone through. */
    long offset() {
        return offset;
    }

    ScreenAt now() {
        return new ScreenAt(terminal.stream().id(), nextSeq - 1, offset, whole, emulator.state());
    }

    /** Goes on with these frames, at most until it has gone through about so many bytes of output; says with how many of them. */
    int play(List<Frame> frames, long mostBytes) throws IOException {
        return playHeard(
                frames.stream()
                        .map(frame -> new Heard.Change(frame.seq(), frame.seq(), frame.body()))
                        .toList(),
                mostBytes);
    }

    /** The same with what was heard. */
    int playHeard(List<Heard.Change> changes, long mostBytes) throws IOException {
        long begun = offset;
        int played = 0;
        for (Heard.Change change : changes) {
            if (change.firstSeq() > nextSeq) {
                throw new IllegalStateException("Frame " + change.firstSeq() + " came instead of " + nextSeq);
            }
            play(change);
            nextSeq = change.lastSeq() + 1;
            played++;
            if (offset + unread - begun >= mostBytes) {
                break;
            }
        }
        catchUp();
        keepWhenDue(nextSeq - 1);
        return played;
    }

    private void play(Heard.Change change) throws IOException {
        if (change.body() instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY) {
            long stored = Math.min(delta.bytesTotal(), delta.bytesStored());
            whole &= !delta.truncated();
            unread = (int) Math.max(unread, stored - offset);
            if (unread >= readBytes) {
                catchUp();
                keepWhenDue(change.lastSeq());
            }
        } else if (change.body() instanceof ToolTaskResized size) {
            catchUp();
            emulator.resize(rows(size.rows(), size.cols()), cols(size.cols()));
        }
    }

    private void catchUp() throws IOException {
        while (unread > 0) {
            // All of it where it is a little more: of a small rest all would be emulated.
            byte[] bytes = artifact.read(offset, Math.min(unread, 2 * readBytes));
            if (bytes.length == 0) {
                // Taken by a power loss: it was recorded, and is not there any more.
                whole = false;
                unread = 0;
                return;
            }
            long before = emulator.emulated();
            emulator.write(bytes);
            if (bytes.length >= Limits.SCREEN_KEYFRAME_BYTES) {
                boolean flood = emulator.emulated() - before < bytes.length / 2;
                readBytes = flood ? FLOOD_BYTES : Limits.SCREEN_KEYFRAME_BYTES;
            }
            offset += bytes.length;
            unread -= bytes.length;
        }
    }

    private void keepWhenDue(long seq) {
        if (Keyframes.isDue(keptOffset, offset - keptOffset, emulator.emulated() - keptEmulated)) {
            keep(seq);
        }
    }

    /** Keeps the screen as it is, if it took some work to make. */
    void keep() {
        if (Keyframes.isWorthIt(keptOffset, offset - keptOffset)) {
            keep(nextSeq - 1);
        }
    }

    private void keep(long seq) {
        Keyframes keyframes = keeping;
        if (keyframes != null) {
            keyframes.add(Keyframe.of(seq, offset, whole, emulator.state()));
            keptOffset = offset;
            keptEmulated = emulator.emulated();
        }
    }
}
