package io.penstock.engine.host;

import io.penstock.engine.log.FrameFollower;
import io.penstock.frames.Frame;
import io.penstock.frames.Phase;
import io.penstock.frames.ToolTaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One host's place in the frames of one task: what the host does not read stays in the ledger. Answers that have a place among the events
 * are written there. Lives on the context of all hosts.
 */
final class EventCursor {

    private record Waiting(long seq, Runnable write) {}

    private final FrameFollower follower;
    private final HostEvents events;
    private final ConnectedHost.Outbox outbox;
    private final Runnable whenOver;
    private final List<Waiting> waiting = new ArrayList<>();
    private long nextSeq;
    private int held;
    private boolean full;
    private boolean paused;
    private int reopened;
    private boolean over;

    /**
     * @param follower of the task's frames from {@code nextSeq} on
     * @param failed called when the frames cannot be read
     * @param whenOver called when no more events follow
     */
    EventCursor(
            FrameFollower follower,
            long nextSeq,
            HostEvents events,
            ConnectedHost.Outbox outbox,
            Consumer<Throwable> failed,
            Runnable whenOver) {
        this.follower = follower;
        this.nextSeq = nextSeq;
        this.events = events;
        this.outbox = outbox;
        this.whenOver = whenOver;
        follower.exceptionHandler(why -> {
            close();
            failed.accept(why);
        });
        follower.endHandler(closed -> close());
        follower.handler(this::next);
    }

    private void next(Frame frame) {
        if (over) {
            return;
        }
        List<HostEvent> caused = events.after(frame);
        nextSeq = frame.seq() + 1;
        if (!caused.isEmpty()) {
            outbox.events(frame, caused);
        }
        writeWaiting();
        boolean ended = frame.body() instanceof ToolTaskStatus status && status.phase() == Phase.ENDED;
        if (ended && reopened-- == 0) {
            close();
        }
    }

    private void writeWaiting() {
        for (int i = 0; i < waiting.size(); ) {
            if (over || waiting.get(i).seq() < nextSeq) {
                waiting.remove(i).write().run();
            } else {
                i++;
            }
        }
    }

    /** Writes an answer after the events of this frame, and before those of later ones. */
    void writeAfter(long seq, Runnable write) {
        waiting.add(new Waiting(seq, write));
        writeWaiting();
    }

    /** The task runs again: the cursor, which has not come to the end of the run before, goes on behind it. */
    void reopen() {
        reopened++;
    }

    /** Sends nothing until it is released: the place of an answer is not known yet. */
    void hold() {
        held++;
        pauseOrResume();
    }

    void release() {
        held--;
        pauseOrResume();
    }

    /** Whether the host has no room for events. */
    void full(boolean now) {
        full = now;
        pauseOrResume();
    }

    private void pauseOrResume() {
        boolean wanted = held > 0 || full;
        if (wanted != paused && !over) {
            paused = wanted;
            if (wanted) {
                follower.pause();
            } else {
                follower.resume();
            }
        }
    }

    void close() {
        if (!over) {
            over = true;
            follower.cancel();
            writeWaiting();
            whenOver.run();
        }
    }
}
