package io.penstock.server.tools.agents;

import io.penstock.frames.Limits;

/** The limits of the tools for tasks, each with its unit in its name. The contracts give them, unless a reason is said. */
public final class TaskToolLimits {

    /** A result or a partial result in an answer: four thousand tokens, and an answer of it can be kept for repeats. */
    public static final int RESULT_CHARS = 16 * 1024;

    /** All results of an answer that has several. */
    public static final int RESULTS_CHARS = 32 * 1024;

    /** Of several results, each has this at least. */
    public static final int LEAST_RESULT_CHARS = 1024;

    /** Bytes read from each end of an output, more than shown: rewritten lines and escape sequences are removed from them. */
    static final int OUTPUT_END_BYTES = 64 * 1024;

    /** The error output of a command beside its output. */
    static final int ERROR_OUTPUT_CHARS = 4 * 1024;

    /** A title, an error or a question in an answer. */
    public static final int LINE_CHARS = 300;

    /** Frames that are searched, from the end, for the text of a turn that has not settled, or for files that an agent wrote. */
    static final int SEARCHED_FRAMES = 10 * Limits.PAGE_FRAMES;

    /** Files of an answer; an agent that writes more is better asked. */
    static final int FILES = 100;

    /** Tasks of a list, unless {@code limit} says otherwise. */
    public static final int LISTED = 10;

    static final int MOST_LISTED = 100;

    /** An entry of a list: some lines of text, each character up to six bytes as JSON. */
    public static final long ENTRY_BYTES = 8L * LINE_CHARS * 6;

    /** The memory of one result, and of the frames that it is read from. */
    public static final long RESULT_BYTES = 8L * RESULT_CHARS + 4L * OUTPUT_END_BYTES + ENTRY_BYTES;

    /** Of {@code task_join} without {@code timeout_ms}. */
    static final long JOIN_MS = 30_000;

    /** The longest wait that can be asked for. */
    public static final long WAIT_MS = 600_000;

    /** For a stopped program to end: TERM, KILL 5 s later, and the rest of its output. */
    public static final long STOP_MS = 10_000;

    /** For an agent to interrupt what it does, before the caller is told that it has not yet. */
    static final long STEER_MS = 10_000;

    /** For a program that was just started to open its conversation, so that a message can be passed on to it. */
    public static final long OPENED_MS = 20_000;

    private TaskToolLimits() {}
}
