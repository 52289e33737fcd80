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
 * What a terminal's screen changed by of late, as it was heard: pieces of output that follow each other are one, so a flood is few of
 * them. Who leads a screen on need not ask the log for them, which has them in the database by then. May be called from any thread.
 */
final class Heard {

    /** Of a flood, some hundred MiB; of a window that is dragged, some seconds. What is older is in the log. */
    private static final int MOST = 128;

    /**
     * Frames in a row of which only the last output counts, or one change of size.
     *
     * @param body null where none of them changes the screen
     */
    record Change(long firstSeq, long lastSeq, @Nullable FrameBody body) {}

    /** Frames that are no output: more than happens in a flood of seconds, and half a MiB if each is a paste. */
    private static final int MOST_BESIDE = 64;

    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final ArrayDeque<Frame> beside = new ArrayDeque<>();
    private long besideFrom = -1;
    private long lastSeq = -1;
    private long outputFrom;
    private volatile long written = -1;

    synchronized void accepted(Frame frame) {
        if (besideFrom < 0) {
            besideFrom = frame.seq();
        }
        lastSeq = frame.seq();
        if (!(frame.body() instanceof ToolTaskOutputDelta)) {
            beside.add(frame);
            if (beside.size() > MOST_BESIDE) {
                besideFrom = beside.remove().seq() + 1;
            }
        }
        keepChange(frame);
    }

    /** How much output there is by now, as far as it is stored; -1 before the first. */
    long written() {
        return written;
    }

    private void keepChange(Frame frame) {
        Change last = changes.peekLast();
        FrameBody body = frame.body();
        if (body instanceof ToolTaskOutputDelta delta && delta.channel() == Channel.PTY) {
            written = delta.bytesStored();
            if (last != null && !(last.body() instanceof ToolTaskResized) && goesWith(last, delta)) {
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

    private boolean goesWith(Change last, ToolTaskOutputDelta delta) {
        if (last.body() == null) {
            outputFrom = delta.offset();
            return true;
        }
        return delta.offset() - outputFrom < Limits.SCREEN_UNWANTED_BYTES;
    }

    private void add(Change change) {
        changes.add(change);
        if (changes.size() > MOST) {
            changes.removeFirst();
        }
    }

    /**
     * All frames from one to another, with both, that are no output; null where that was too long ago, or the last is not heard yet, as
     * the log may tell of it before.
     */
    synchronized @Nullable List<Frame> beside(long fromSeq, long toSeq) {
        return besideFrom < 0 || fromSeq < besideFrom || toSeq > lastSeq
                ? null
                : beside.stream()
                        .filter(frame -> frame.seq() >= fromSeq && frame.seq() <= toSeq)
                        .toList();
    }

    /** From this frame on; empty if there is none, or what comes next was too long ago. */
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
