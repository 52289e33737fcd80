package io.penstock.engine.launch;

import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bytes of the queue's files, in all and per session. Spawns without a session count only for the whole queue. */
final class QueueBytes {

    private record Share(@Nullable String session, long bytes) {}

    private final Map<String, Share> shares = new HashMap<>();
    private final Map<String, Long> ofSession = new HashMap<>();
    private long total;

    /** Counts the task's bytes, or fails with {@code QUOTA_EXCEEDED} if they do not fit. */
    synchronized void reserve(String taskId, @Nullable String session, long bytes) {
        if (total + bytes > Limits.QUEUE_BYTES) {
            throw full("The queue", total, Limits.QUEUE_BYTES, bytes);
        }
        long mine = session == null ? 0 : ofSession.getOrDefault(session, 0L) + bytes;
        if (mine > Limits.QUEUE_SESSION_BYTES) {
            throw full("The queue of session \"" + session + "\"", mine - bytes, Limits.QUEUE_SESSION_BYTES, bytes);
        }
        add(taskId, session, bytes);
    }

    private static Failure full(String what, long used, long limit, long asked) {
        return new Failure(
                FailureCode.QUOTA_EXCEEDED,
                what + " holds " + used + " of at most " + limit + " bytes, and this spawn takes " + asked
                        + ". Try again when queued tasks have started, or spawn with a smaller env.");
    }

    synchronized void add(String taskId, @Nullable String session, long bytes) {
        release(taskId);
        shares.put(taskId, new Share(session, bytes));
        total += bytes;
        if (session != null) {
            ofSession.merge(session, bytes, Long::sum);
        }
    }

    /** Assigns a session to a task that was counted without one. */
    synchronized void assignSession(String taskId, @Nullable String session) {
        Share share = shares.get(taskId);
        if (share != null && share.session() == null && session != null) {
            add(taskId, session, share.bytes());
        }
    }

    synchronized void release(String taskId) {
        Share share = shares.remove(taskId);
        if (share == null) {
            return;
        }
        total -= share.bytes();
        String session = share.session();
        if (session != null) {
            ofSession.computeIfPresent(session, (name, bytes) -> bytes == share.bytes() ? null : bytes - share.bytes());
        }
    }
}
