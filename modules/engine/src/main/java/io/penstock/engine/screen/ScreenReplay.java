package io.penstock.engine.screen;

import io.penstock.engine.artifact.Artifact;
import io.penstock.engine.artifact.BytesGone;
import io.penstock.engine.spawn.TerminalSize;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import io.penstock.terminal.Emulator;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A terminal that is advanced through a task's frames, forward only. For one thread at a time; blocks. */
final class ScreenReplay {

    /** The larger the pieces of a flood of text, the more of it need not be emulated. */
    private static final int FLOOD_BYTES = Limits.SCREEN_UNWANTED_BYTES;

    private final TerminalSpec terminal;
    private final Artifact artifact;
    private final @Nullable Keyframes keyframes;
    /**
     * Whether the terminal is live: output that is not stored is shown while it is in memory. Screens of the past show stored output
     * only, so they are always the same.
     */
    private final boolean live;
    /** Where output from memory may begin: earlier output that was not stored is skipped, as in screens of the past. */
    private final long liveFrom;

    private final Emulator emulator;
    private int cells;
    private long nextSeq;
    private long offset;
    private boolean whole;
    /** Whether output was emulated that is not stored: a keyframe of it would differ from a replay of the stored output. */
    private boolean showsUnstored;
    /** Whether a keyframe is due that cannot be made. */
    private boolean outdated;

    private long savedOffset;
    private long savedEmulated;
    private long savedWork;
    /** The emulator's work at which the current turn ends. */
    private long turnEnd;

    // Bytes to read from the file, from the offset on, and how many of them at once.
    private int unread;
    private int readBytes = Limits.SCREEN_KEYFRAME_BYTES;

    /** @param keyframes where to store keyframes on the way, or null */
    private ScreenReplay(
            TerminalSpec terminal, Artifact artifact, @Nullable Keyframe from, @Nullable Keyframes keyframes) {
        this.terminal = terminal;
        this.artifact = artifact;
        this.keyframes = keyframes;
        this.live = keyframes != null && artifact.sealed() == null;
        this.liveFrom = live ? artifact.storedBytes() : Long.MAX_VALUE;
        if (from == null) {
            TerminalSize size = terminal.size();
            cells = size.cells();
            emulator = new Emulator(rows(size.rows(), size.cols()), cols(size.cols()), Limits.SCREEN_HISTORY_LINES);
            whole = true;
        } else {
            cells = from.rows() * from.cols();
            emulator = from.emulator();
            nextSeq = from.seq() + 1;
            offset = from.offset();
            savedOffset = offset;
            savedEmulated = emulator.emulated();
            savedWork = emulator.work();
            whole = from.whole();
        }
    }

    /** A replay that starts at the last keyframe and stores further ones. */
    static ScreenReplay fromLastKeyframe(TerminalSpec terminal, Artifact artifact) {
        var keyframes = new Keyframes(artifact);
        return new ScreenReplay(terminal, artifact, keyframes.before(Long.MAX_VALUE), keyframes);
    }

    /** A replay for one screen of the past; stores no keyframes. */
    static ScreenReplay before(TerminalSpec terminal, Artifact artifact, long seq) {
        return new ScreenReplay(terminal, artifact, new Keyframes(artifact).before(seq), null);
    }

    private static int rows(int rows, int cols) {
        return Math.min(rows, Math.max(1, Limits.SCREEN_CELLS / cols));
    }

    /** At least the width of a wide character, as in xterm.js; otherwise early viewers and late joiners would see different screens. */
    private static int cols(int cols) {
        return Math.max(2, cols);
    }

    TerminalSpec terminal() {
        return terminal;
    }

    long nextSeq() {
        return nextSeq;
    }

    /** Of the terminal's size; a screen has at most {@link Limits#SCREEN_CELLS} of them. */
    int cells() {
        return Math.min(Limits.SCREEN_CELLS, cells);
    }

    /** Bytes of output replayed. */
    long offset() {
        return offset;
    }

    ScreenSnapshot now() {
        return new ScreenSnapshot(terminal.stream().id(), nextSeq - 1, offset, whole, emulator.state());
    }

    /** Whether output before {@link #nextSeq} is still to be emulated; only then is there a screen to take. */
    boolean isBehind() {
        return unread > 0;
    }

    /** Approximate memory. */
    long bytes() {
        return emulator.bytes() + Math.min(unread, 2 * readBytes);
    }

    /** The cost of its emulation so far, in cells. */
    long work() {
        return emulator.work();
    }

    /**
     * Replays these frames for at most one turn; returns the number of frames replayed. If the turn was too short for their output, the
     * replay {@link #isBehind} and the next turn starts with the rest.
     *
     * @param maxBytes bytes of output to replay, or a little more
     */
    int play(List<Frame> frames, long maxBytes) throws IOException {
        return playChanges(
                frames.stream()
                        .map(frame -> new RecentChanges.Change(frame.seq(), frame.seq(), frame.body()))
                        .toList(),
                maxBytes);
    }

    /** Likewise for recent changes. */
    int playChanges(List<RecentChanges.Change> changes, long maxBytes) throws IOException {
        turnEnd = emulator.work() + Limits.SCREEN_TURN_CELLS;
        if (isBehind() && !catchUp()) {
            return 0;
        }
        saveKeyframeIfDue();
        long startOffset = offset;
        int played = 0;
        for (RecentChanges.Change change : changes) {
            if (change.firstSeq() > nextSeq) {
                throw new IllegalStateException("expected frame " + nextSeq + " but got " + change.firstSeq());
            }
            if (!play(change)) {
                return played;
            }
            played++;
            if (offset + unread - startOffset >= maxBytes) {
                break;
            }
        }
        catchUp();
        saveKeyframeIfDue();
        return played;
    }

    /** Returns whether the turn sufficed to get to this change; part of its output may still be unread. */
    private boolean play(RecentChanges.Change change) throws IOException {
        if (emulator.work() >= turnEnd) {
            return false;
        }
        if (change.body() instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY) {
            long end = live && delta.truncated()
                    ? Math.max(delta.bytesStored(), Math.min(delta.bytesTotal(), artifact.liveEnd()))
                    : delta.bytesStored();
            whole &= !delta.truncated();
            unread = (int) Math.max(unread, end - offset);
        } else if (change.body() instanceof ToolTaskResized size) {
            if (!catchUp()) {
                return false;
            }
            cells = size.rows() * size.cols();
            emulator.resize(rows(size.rows(), size.cols()), cols(size.cols()));
        }
        nextSeq = change.lastSeq() + 1;
        if (unread >= readBytes) {
            boolean caughtUp = catchUp();
            saveKeyframeIfDue();
            return caughtUp;
        }
        return true;
    }

    /** Emulates the unread output; returns whether the turn sufficed. */
    private boolean catchUp() throws IOException {
        while (unread > 0) {
            if (emulator.work() >= turnEnd) {
                return false;
            }
            boolean fromMemory = offset >= liveFrom;
            long gone = Math.min(unread, (fromMemory ? artifact.firstByte() : artifact.nextByte(offset)) - offset);
            if (gone > 0) {
                // Trimmed, or never stored: skip it and continue with the screen as far as it is known.
                whole = false;
                offset += gone;
                unread -= (int) gone;
                continue;
            }
            // If only a little more is left, read all of it: a small rest would be emulated completely.
            int wanted = Math.min(unread, 2 * readBytes);
            if (!fromMemory) {
                wanted = (int) Math.min(wanted, liveFrom - offset);
            }
            byte[] bytes;
            try {
                bytes = fromMemory ? artifact.readLive(offset, wanted) : artifact.read(offset, wanted);
            } catch (BytesGone e) {
                continue;
            }
            long end = offset + bytes.length;
            boolean hasGap = artifact.hasGap(offset, end);
            whole &= !hasGap;
            showsUnstored |= hasGap || end > artifact.storedBytes();
            long next = artifact.nextByte(offset);
            if (bytes.length == 0 && next > offset) {
                // Output of a live terminal that is no longer in memory.
                int missing = (int) Math.min(unread, next - offset);
                whole = false;
                offset += missing;
                unread -= missing;
                continue;
            }
            if (bytes.length == 0) {
                // Lost in a power failure, or never stored and no longer in memory: the log has it, the file does not.
                whole = false;
                offset += unread;
                unread = 0;
                return true;
            }
            long before = emulator.emulated();
            int done = emulator.write(bytes, 0, bytes.length, turnEnd);
            offset += done;
            unread -= done;
            if (done < bytes.length) {
                // The next turn reads the rest again, so it reads little if this piece has already taken a whole turn.
                readBytes = done < Limits.SCREEN_KEYFRAME_BYTES ? Limits.SCREEN_BEHIND_BYTES : readBytes;
                return false;
            }
            if (readBytes < Limits.SCREEN_KEYFRAME_BYTES) {
                readBytes = Limits.SCREEN_KEYFRAME_BYTES;
            }
            if (bytes.length >= Limits.SCREEN_KEYFRAME_BYTES) {
                boolean flood = emulator.emulated() - before < bytes.length / 2;
                readBytes = flood ? FLOOD_BYTES : Limits.SCREEN_KEYFRAME_BYTES;
            }
        }
        return true;
    }

    private void saveKeyframeIfDue() {
        if (!isBehind()
                && Keyframes.isDue(
                        savedOffset,
                        offset - savedOffset,
                        emulator.emulated() - savedEmulated,
                        emulator.work() - savedWork)) {
            saveKeyframe(nextSeq - 1);
        }
    }

    /** Stores a keyframe if the screen took some work to compute. */
    void saveKeyframe() {
        if (!isBehind() && Keyframes.isWorthKeeping(savedOffset, offset - savedOffset)) {
            saveKeyframe(nextSeq - 1);
        }
    }

    /** Whether it should be replaced by a new replay, which shows only stored output and can make keyframes again. */
    boolean isOutdated() {
        return outdated;
    }

    private void saveKeyframe(long seq) {
        Keyframes to = keyframes;
        if (to == null || offset > artifact.storedBytes()) {
            return;
        }
        if (showsUnstored) {
            outdated = true;
        } else {
            to.add(Keyframe.of(seq, offset, whole, emulator.state()));
            savedOffset = offset;
            savedEmulated = emulator.emulated();
            savedWork = emulator.work();
        }
    }
}
