package io.penstock.frames;

/**
 * The marks that people put on a task, which do not change what it does.
 *
 * @param cleared whether it was cleared from its owner's lists
 * @param pinned whether retention must keep it
 */
public record TaskMarks(boolean cleared, boolean pinned) {

    static final TaskMarks NONE = new TaskMarks(false, false);
}
