package io.penstock.engine.task.agent;

/** Limits of one agent. */
final class AgentLimits {

    /** Inputs that wait for the running turn: more than a person or a program sends without looking. */
    static final int WAITING_INPUTS = 16;

    /** One frame's text: some pages, and far from a frame's limit. */
    static final int TEXT_CHARS = 8 * 1024;

    /** Text of messages, tool calls and plans in the frames of one run: a novel; beyond it, text is counted and not recorded. */
    static final long TEXT_PER_RUN_CHARS = 16L * 1024 * 1024;

    /** What a frame counts for beside its text: an empty one takes room too. */
    static final int FRAME_CHARS = 32;

    /** The beginning of a result that is kept, when it is longer than both parts. A result is at most 96 KiB in UTF-8. */
    static final int RESULT_HEAD_CHARS = 24 * 1024;

    /** The end of such a result. */
    static final int RESULT_TAIL_CHARS = 7 * 1024;

    /** Tool calls that are remembered as begun: more than a turn makes. The oldest is forgotten, and would begin again. */
    static final int KNOWN_CALLS = 1024;

    /** Questions that wait behind the open one. */
    static final int WAITING_QUESTIONS = 64;

    /** Lines for a program that does not read its input: the largest prompt many times over. */
    static final int WAITING_INPUT_BYTES = 4 * 1024 * 1024;

    /** A program that has not opened its conversation by then is broken; the first start of a large one takes half a minute. */
    static final long OPEN_MS = 120_000;

    /** How often an agent at work is asked whether it has settled, in case that it did not say so. */
    static final long POLL_MS = 3_000;

    /** A file that an agent reads or writes through the server. */
    static final int FILE_BYTES = 4 * 1024 * 1024;

    /** Commands that an agent has started and not released: more than it can look after. */
    static final int TERMINALS = 64;

    /** Output of a child task that an agent reads at once. */
    static final int TERMINAL_BYTES = 256 * 1024;

    private AgentLimits() {}
}
