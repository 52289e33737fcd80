package io.penstock.server.http;

import io.penstock.engine.log.FrameListener;
import io.penstock.frames.Frame;
import io.penstock.frames.StreamId;
import io.penstock.frames.StreamKind;
import io.penstock.frames.TaskAgentMessage;
import io.penstock.frames.TaskAgentToolCall;
import io.penstock.frames.TaskCleared;
import io.penstock.frames.TaskPinned;
import io.penstock.frames.TaskRunStarted;
import io.penstock.frames.ToolTaskCancelRequested;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Tells lists that are shown which tasks have changed, and whether sessions have. May be called from any thread. */
public final class ChangedTasks implements FrameListener.Source {

    private enum Change {
        NONE,
        OUTPUT,
        STATE
    }

    private final Set<Follower> followers = ConcurrentHashMap.newKeySet();

    @Override
    public FrameListener of(StreamId stream) {
        if (stream.kind() != StreamKind.TASK) {
            return frame -> followers.forEach(Follower::sessionChanged);
        }
        return frame -> {
            if (!followers.isEmpty()) {
                tell(stream.id(), changeOf(frame));
            }
        };
    }

    private void tell(String taskId, Change change) {
        if (change != Change.NONE) {
            followers.forEach(follower -> follower.changed(taskId, change == Change.STATE));
        }
    }

    private static Change changeOf(Frame frame) {
        return switch (frame.body()) {
            case ToolTaskOutputDelta _, TaskAgentMessage _, TaskAgentToolCall _ -> Change.OUTPUT;
            case ToolTaskSpawned _,
                    ToolTaskStatus _,
                    ToolTaskCancelRequested _,
                    TaskRunStarted _,
                    TaskPinned _,
                    TaskCleared _ -> Change.STATE;
            default -> Change.NONE;
        };
    }

    /** Notes changes from now on; null if as many lists are followed as may be. */
    @Nullable
    Follower follow(int mostFollowers, int mostPending) {
        var follower = new Follower(mostPending);
        followers.add(follower);
        if (followers.size() > mostFollowers) {
            followers.remove(follower);
            return null;
        }
        return follower;
    }

    /** Ends all lists: the server stops. */
    public void close() {
        followers.forEach(Follower::end);
    }

    /** The tasks that have changed since the last event of one list. */
    final class Follower {

        private final int mostPending;
        private final Map<String, Boolean> pending = new HashMap<>();
        private boolean isBehind;
        private boolean sessionsChanged;
        private volatile Runnable end = () -> {};

        private Follower(int mostPending) {
            this.mostPending = mostPending;
        }

        private synchronized void changed(String taskId, boolean state) {
            if (!isBehind) {
                pending.merge(taskId, state, Boolean::logicalOr);
                if (pending.size() > mostPending) {
                    pending.clear();
                    isBehind = true;
                }
            }
        }

        private synchronized void sessionChanged() {
            sessionsChanged = true;
        }

        /** Whether a session has changed; true once. */
        synchronized boolean takeSessions() {
            boolean was = sessionsChanged;
            sessionsChanged = false;
            return was;
        }

        /** Whether so much has changed that the list must be read again; true once. */
        synchronized boolean takeBehind() {
            boolean was = isBehind;
            isBehind = false;
            return was;
        }

        /** Some of the changed tasks; true if more than their output has changed. */
        synchronized Map<String, Boolean> take(int most) {
            var taken = new HashMap<String, Boolean>();
            var all = pending.entrySet().iterator();
            while (all.hasNext() && taken.size() < most) {
                Map.Entry<String, Boolean> each = all.next();
                taken.put(each.getKey(), each.getValue());
                all.remove();
            }
            return taken;
        }

        /** What to do when the server stops. */
        void onEnd(Runnable end) {
            this.end = end;
        }

        private void end() {
            end.run();
        }

        void stop() {
            followers.remove(this);
        }
    }
}
