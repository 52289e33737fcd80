package io.penstock.engine.task.agent;

import io.penstock.frames.WholeCharacters;
import org.jspecify.annotations.Nullable;

/** The text of an agent's last message, of which the beginning and the end are kept. */
final class ResultText {

    private final StringBuilder head = new StringBuilder();
    private final StringBuilder tail = new StringBuilder();
    private long left;

    void clear() {
        head.setLength(0);
        tail.setLength(0);
        left = 0;
    }

    void add(String text) {
        int room = tail.isEmpty()
                ? WholeCharacters.boundary(text, Math.min(text.length(), AgentLimits.RESULT_HEAD_CHARS - head.length()))
                : 0;
        head.append(text, 0, room);
        tail.append(text, room, text.length());
        int over = tail.length() - AgentLimits.RESULT_TAIL_CHARS;
        // Twice as long before it is cut, so that a character is moved once at most.
        if (over > AgentLimits.RESULT_TAIL_CHARS) {
            int deleted = WholeCharacters.boundary(tail, over);
            tail.delete(0, deleted);
            left += deleted;
        }
    }

    /** The text, with a note of what was left out; null if there is none. */
    @Nullable
    String text() {
        String end = WholeCharacters.end(tail, AgentLimits.RESULT_TAIL_CHARS);
        long leftOut = left + tail.length() - end.length();
        if (leftOut == 0) {
            String whole = head.toString() + tail;
            return whole.isEmpty() ? null : whole;
        }
        return head + "\n[" + leftOut + " characters are left out here; the task's messages have them]\n" + end;
    }
}
