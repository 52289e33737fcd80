package io.penstock.server.tools.shell;

/** The limits of the tool shell, each with its unit in its name. The contract gives them, unless a reason is said. */
final class ShellLimits {

    /** Of a run without {@code timeout_secs}. */
    static final int TIMEOUT_SECONDS = 60;

    /** As for any task. */
    static final int LONGEST_TIMEOUT_SECONDS = 86_400;

    /** Shown output of a run without {@code max_output_bytes}. */
    static final long OUTPUT_BYTES = 1024 * 1024;

    static final long MOST_OUTPUT_BYTES = 1024L * 1024 * 1024;

    /** Text of one answer: a model reads no more at once, and a thousand such answers fit into memory. */
    static final int PAGE_CHARS = 64 * 1024;

    /** Each output in the answer of a run without action; less if the answer would be too large to be kept for repeats. */
    static final int OUTPUT_CHARS = 16 * 1024;

    /** The memory of one answer: its last item may be of 64 KiB too, and each character takes up to six bytes as JSON. */
    static final long ANSWER_BYTES = 2L * PAGE_CHARS * 6;

    /** The memory of the answer of a run without action, but for its command. */
    static final long RUN_ANSWER_BYTES = 2L * OUTPUT_CHARS * 6;

    /** From TERM to KILL, and for the rest of the output. */
    static final int STOP_SECONDS = 10;

    /** Items of one poll. */
    static final int POLL_ITEMS = 256;

    /** Items of one page of the log, unless {@code limit} says otherwise. */
    static final int LOG_ITEMS = 256;

    static final int MOST_LOG_ITEMS = 500;

    /** For callers behind gateways that give up after 60 s. */
    static final int WAIT_MS = 50_000;

    private ShellLimits() {}
}
