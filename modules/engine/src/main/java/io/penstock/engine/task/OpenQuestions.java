package io.penstock.engine.task;

import io.penstock.engine.launch.TaskRequest;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Limits;
import java.util.HashMap;
import java.util.Map;

/** The spawns that wait for an answer to policy's question, with their requests in memory. Thread-safe. */
public final class OpenQuestions {

    private final Map<String, Long> chars = new HashMap<>();
    private long total;

    /** Counts a spawn until {@link #release}, or fails with {@code QUOTA_EXCEEDED} if there is no room for it. */
    synchronized void reserve(String taskId, TaskRequest request) {
        long more = request.chars();
        if (chars.size() >= Limits.OPEN_QUESTIONS || total + more > Limits.OPEN_QUESTION_CHARS) {
            throw new Failure(
                    FailureCode.QUOTA_EXCEEDED,
                    chars.size() + " spawns of at most " + Limits.OPEN_QUESTIONS + " wait for an answer, with " + total
                            + " characters of at most " + Limits.OPEN_QUESTION_CHARS + ", and this one has " + more
                            + ". Try again when some are answered or cancelled, or spawn with a smaller env.");
        }
        chars.put(taskId, more);
        total += more;
    }

    /** May be called more than once. */
    synchronized void release(String taskId) {
        Long released = chars.remove(taskId);
        total -= released == null ? 0 : released;
    }
}
