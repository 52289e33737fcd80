package io.penstock.engine.screen;

import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.FrameBody;
import io.penstock.frames.Limits;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskResized;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The latest screen-changing frames of one terminal, kept in memory with consecutive output merged, so that a flood is few changes.
 * Advancing a screen reads these instead of querying the log. May be called from any thread.
 */
final class RecentChanges {

    /** Some hundred MiB of a flood, or some seconds of dragging a window. Older changes are in the log. */
    private static final int MAX_CHANGES = 128;

    /**
     * Consecutive frames of which only the last output matters, or one change of size.
     *
     * @param body null if none of them changes the screen
     */
    record Change(long firstSeq, long lastSeq, @Nullable FrameBody body) {}

    /** Frames that are not output: more than occur in seconds of a flood, and half a MiB if each is a paste. */
    private static final int MAX_OTHER_FRAMES = 64;

    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final ArrayDeque<Frame> otherFrames = new ArrayDeque<>();
    private long otherFromSeq = -1;
    private long lastSeq = -1;
    private long outputFrom;
    private volatile long written = -1;

    synchronized void accept(Frame frame) {
        if (otherFromSeq < 0) {
            otherFromSeq = frame.seq();
        }
        lastSeq = frame.seq();
        if (!(frame.body() instanceof ToolTaskOutputDelta)) {
            otherFrames.add(frame);
            if (otherFrames.size() > MAX_OTHER_FRAMES) {
                otherFromSeq = otherFrames.remove().seq() + 1;
            }
        }
        addChange(frame);
    }

    /** Bytes of output stored by now; -1 before the first. */
    long written() {
        return written;
    }

    private void addChange(Frame frame) {
        Change last = changes.peekLast();
        FrameBody body = frame.body();
        if (body instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY) {
            written = delta.bytesStored();
            if (last != null && !(last.body() instanceof ToolTaskResized) && canMerge(last, delta)) {
                changes.removeLast();
                changes.add(new Change(last.firstSeq(), frame.seq(), delta));
            } else {
                outputFrom = delta.offset();
                add(new Change(frame.seq(), frame.seq(), delta));
            }
        } else if (body instanceof ToolTaskResized || last == null) {
            add(new Change(frame.seq(), frame.seq(), body instanceof ToolTaskResized ? body : null));
        } else {
            changes.removeLast();
            changes.add(new Change(last.firstSeq(), frame.seq(), last.body()));
        }
    }

    private boolean canMerge(Change last, ToolTaskOutputDelta delta) {
        if (last.body() == null) {
            outputFrom = delta.offset();
            return true;
        }
        return delta.offset() - outputFrom < Limits.SCREEN_UNWANTED_BYTES;
    }

    private void add(Change change) {
        changes.add(change);
        if (changes.size() > MAX_CHANGES) {
            changes.removeFirst();
        }
    }

    /**
     * All frames between two, inclusive, that are not output. Null if they are no longer in memory, or if the last one has not arrived
     * yet, as the log may have it earlier.
     */
    synchronized @Nullable List<Frame> nonOutputFrames(long fromSeq, long toSeq) {
        return otherFromSeq < 0 || fromSeq < otherFromSeq || toSeq > lastSeq
                ? null
                : otherFrames.stream()
                        .filter(frame -> frame.seq() >= fromSeq && frame.seq() <= toSeq)
                        .toList();
    }

    /** The changes from this frame on; empty if there are none, or if the first is no longer in memory. */
    synchronized List<Change> since(long seq) {
        var since = new ArrayList<Change>();
        for (Change change : changes) {
            if (change.lastSeq() >= seq) {
                since.add(change);
            }
        }
        return since.isEmpty() || since.getFirst().firstSeq() > seq ? List.of() : since;
    }
}
