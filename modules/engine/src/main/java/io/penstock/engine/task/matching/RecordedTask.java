package io.penstock.engine.task.matching;

import io.penstock.engine.artifact.Recorded;
import io.penstock.frames.ArtifactWritten;
import io.penstock.frames.Channel;
import io.penstock.frames.Frame;
import io.penstock.frames.LineSpan;
import io.penstock.frames.SessionFrame;
import io.penstock.frames.TaskFrame;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.TaskState;
import io.penstock.frames.TaskTurnStarted;
import io.penstock.frames.TaskWatcherAdded;
import io.penstock.frames.TaskWatcherHit;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.UnknownFrame;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All frames of a task of a dead server, added in their order: its state, and what its next run or its end needs besides. */
public final class RecordedTask {

    /** The output between two marks, in all channels. */
    private static final long MARK_BYTES = UnrecordedHits.WINDOW_BYTES;

    private record Watched(String watcherId, Channel channel) {}

    /** The output up to a frame. */
    private record Mark(long seq, long bytes) {}

    private TaskState state = TaskState.ABSENT;
    private final List<TaskWatcherAdded> watchers = new ArrayList<>();
    private final Map<Watched, Long> searchedTo = new HashMap<>();
    private final Set<String> hit = new HashSet<>();
    private final Map<String, Long> newestHits = new HashMap<>();
    private long firstHitMs;
    private final Map<Channel, LineSpan> lastLines = new EnumMap<>(Channel.class);
    private Mark first = new Mark(0, 0);
    private Mark second = first;
    private long bytes;
    private boolean sealing;
    private int recoveries;
    private @Nullable TaskTurnStarted lastTurn;

    public void add(Frame frame) {
        state = state.after(frame);
        switch (frame.body()) {
            case ToolTaskOutputDelta delta -> {
                LineSpan lines = delta.lines();
                if (lines != null) {
                    lastLines.put(delta.channel(), lines);
                }
                bytes += delta.bytes();
                if (bytes - second.bytes() >= MARK_BYTES) {
                    first = second;
                    second = new Mark(frame.seq() + 1, bytes);
                }
            }
            case TaskWatcherAdded added -> {
                watchers.add(added);
                for (Channel channel : Channel.values()) {
                    searchedTo.put(
                            new Watched(added.watcherId(), channel),
                            state.output().total(channel));
                }
            }
            case TaskWatcherHit found -> {
                note(found);
                if (newestHits.isEmpty()) {
                    firstHitMs = frame.timestampMs();
                }
                newestHits.put(found.watcherId(), frame.seq());
            }
            case ArtifactWritten _ -> sealing = true;
            case TaskRunStarted run -> {
                sealing = false;
                recoveries = run.kind() == TaskRunStarted.Kind.RECOVER ? recoveries + 1 : 0;
            }
            case TaskTurnStarted turn -> lastTurn = turn;
            case TaskFrame _, SessionFrame _, UnknownFrame _ -> {}
        }
    }

    public TaskState state() {
        return state;
    }

    /** Those that were added, in their order. */
    public List<TaskWatcherAdded> watchers() {
        return watchers;
    }

    /** Whether the outputs of the present run were being sealed: its program had ended. */
    public boolean isSealing() {
        return sealing;
    }

    /** How many runs in a row, the present one included, began because a server died during the one before. */
    public int recoveries() {
        return recoveries;
    }

    /** The turn that an agent is working on; null if none is. */
    public @Nullable TaskTurnStarted runningTurn() {
        return state.runningTurn() == null ? null : lastTurn;
    }

    /** The seq of the newest hit of each watcher that has one; hits up to it may be missing in the session's mailbox. */
    public Map<String, Long> newestHits() {
        return Map.copyOf(newestHits);
    }

    /** The time of the task's first hit; 0 without one. */
    public long firstHitMs() {
        return firstHitMs;
    }

    /** The recorded facts about an output that are needed to continue it. */
    public Recorded output(Channel channel) {
        LineSpan lines = lastLines.get(channel);
        return new Recorded(
                state.output().total(channel),
                state.output().stored(channel),
                lines == null ? 0 : lines.first() + lines.count() - 2);
    }

    /** The watchers that find one match only, and have found it. */
    public Set<String> finishedWatchers() {
        var finished = new HashSet<String>();
        for (TaskWatcherAdded each : watchers) {
            if (each.once() && hit.contains(each.watcherId())) {
                finished.add(each.watcherId());
            }
        }
        return finished;
    }

    /** The first frame of the output that may not have been searched. */
    long unsearchedSeq() {
        return first.seq();
    }

    /** Whether the hit is behind all that its watcher was reported to have found or was not to search. */
    boolean isNew(TaskWatcherHit found) {
        return found.offset() >= searchedTo.getOrDefault(new Watched(found.watcherId(), found.channel()), 0L);
    }

    void note(TaskWatcherHit found) {
        hit.add(found.watcherId());
        searchedTo.put(new Watched(found.watcherId(), found.channel()), found.offset() + found.bytes());
    }
}
