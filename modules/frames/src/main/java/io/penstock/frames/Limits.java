package io.penstock.frames;

/** Every limit of the product, with its unit in its name and its reason beside it. */
public final class Limits {

    /** Fits a UUID, a `bg_` id, and what hosts make up, and stays readable in a file name. */
    public static final int STREAM_ID_CHARS = 128;

    /** One frame never holds a shard for long, and fits many times into a journal segment. */
    public static final int FRAME_BODY_BYTES = 256 * 1024;

    /** What one delta may cover: the most that a pump drains at once. */
    public static final int DELTA_BYTES = 64 * 1024;

    /** Text of a delta in one JSON frame; the rest is fetched from the artifact by range. */
    public static final int DELTA_INLINE_BYTES = 8 * 1024;

    /** Decoded bytes of one stdin write: larger than any paste a terminal sends at once. */
    public static final int STDIN_BYTES = 8 * 1024;

    /** Input kept for a program that does not read, beside what its pipe or terminal holds: as much again as a usual pipe. */
    public static final int STDIN_WAITING_BYTES = 64 * 1024;

    /** Kept of each output in frames and previews unless the caller asks for less. */
    public static final long PREVIEW_BYTES = 512 * 1024;

    /** Stored of each output stream unless configured otherwise. */
    public static final long ARTIFACT_BYTES = 16L * 1024 * 1024;

    /** A stream's id and what tells its channels apart, and still a file name with room to spare. */
    public static final int ARTIFACT_ID_CHARS = 160;

    /**
     * Files held open for growing artifacts: more than write within the same moment, and half of the smallest usual
     * limit of a process. One that is opened again costs some microseconds.
     */
    public static final int ARTIFACT_OPEN_FILES = 512;

    /** Files held open for those who read artifacts: more than are read within the same moment. */
    public static final int ARTIFACT_READ_FILES = 128;

    /**
     * Places that an artifact's line index remembers, 128 KiB of it: beyond a GiB they move apart instead of becoming
     * more, and a lookup scans a little longer.
     */
    public static final int ARTIFACT_LINE_MARKS = 16 * 1024;

    /** Output of a flood that may wait for its digest: it is told within a second that the task has ended, and is read while it is in memory. */
    public static final long ARTIFACT_UNDIGESTED_BYTES = 256L * 1024 * 1024;

    /** One read of an artifact into memory; more is for those who send from the file. */
    public static final int ARTIFACT_READ_BYTES = 16 * 1024 * 1024;

    /** Seals whose note could not be written yet, kept in memory until it can be: some hundred bytes each. */
    public static final int ARTIFACT_UNNOTED_SEALS = 10_000;

    /** A terminal's rows and columns: the kernel keeps them in 16 bits, no screen needs more than this. */
    public static final int TERMINAL_CELLS_PER_SIDE = 4096;

    /** Characters of a title, reason or error: a line for people, not a document. */
    public static final int TEXT_CHARS = 4096;

    /** A task's label: a few words and a number, such as code-review-pr-42, which people type and a row of a list shows whole. */
    public static final int LABEL_CHARS = 64;

    /** UTF-8 of a task's arguments, a prompt or a result: a command line with a long heredoc fits. */
    public static final int ARGS_BYTES = 128 * 1024;

    /** Objects and arrays inside each other in JSON that is passed on: no tool's arguments are deeper, no stack suffers. */
    public static final int JSON_DEPTH = 128;

    /** 2^53 - 1: every whole number of a frame, so that readers whose numbers are doubles lose no digit of it. */
    public static final long WHOLE_NUMBER = (1L << 53) - 1;

    /** The name of a frame's type. */
    public static final int TYPE_NAME_CHARS = 128;

    /** Frames of one page of a read: some milliseconds of work, some hundred KiB. */
    public static final int PAGE_FRAMES = 1000;

    /** The newest frames of a stream in memory while somebody follows it: most of a second of a flooded terminal. */
    public static final int TAIL_FRAMES = 4_096;

    /** A frame in the tail: output by reference takes some thirty bytes; so a tail is 4 MiB at most, 400 KiB of a flood, and mostly 5. */
    public static final int TAIL_FRAME_BYTES = 1024;

    /** Pieces of output in their public form, shared by those who view a task; some milliseconds of a busy one. */
    public static final int ENCODED_FRAMES = 128;

    /** Of these, each; so a task that is viewed holds 2 MiB at most. Text with many escapes is larger, and rare. */
    public static final int ENCODED_FRAME_BYTES = 16 * 1024;

    /**
     * Tasks that have ended, whose state is in memory, of those that ended last and of those that were asked about last: a KiB each,
     * unless their arguments are as large as may be, then 16 MiB either way.
     */
    public static final int ENDED_STATES = 128;

    /** Tasks of one page of a list: more than anybody reads at once. */
    public static final int PAGE_TASKS = 200;

    /**
     * Journal bytes that may wait for Postgres before appenders are held back: about four million frames, so
     * an hour of a busy node, and a few seconds to drain.
     */
    public static final long JOURNAL_BACKLOG_BYTES = 256L * 1024 * 1024;

    /** A segment of the journal: zeroed in a few milliseconds, deleted as soon as it is drained. */
    public static final int JOURNAL_SEGMENT_BYTES = 16 * 1024 * 1024;

    /** Appends of one stream that may wait while the log holds callers back; one more is an error. */
    public static final int WAITING_APPENDS_PER_STREAM = 64;

    /** Answers to commands are kept for repeats this long. */
    public static final long IDEMPOTENCY_HOURS = 24;

    /** An idempotency key: a UUID or a hash fits several times. */
    public static final int IDEMPOTENCY_KEY_CHARS = 256;

    /** Whose key it is: an actor's id and room to spare. Both together stay below what a Postgres index takes (2704 bytes). */
    public static final int IDEMPOTENCY_PRINCIPAL_CHARS = 256;

    /** What tells one request from another: a SHA-512 at most, never the request itself. */
    public static final int IDEMPOTENCY_FINGERPRINT_BYTES = 64;

    /** A kept answer: a command's reply, never a page of output. */
    public static final int IDEMPOTENCY_ANSWER_BYTES = 64 * 1024;

    /** Keys whose answers are in memory as well; repeats mostly come within seconds. */
    public static final int IDEMPOTENCY_ENTRIES = 10_000;

    /** Bytes of the answers in memory: a quarter of a KiB each would be 2.5 MiB, a few large ones may not make it more. */
    public static final long IDEMPOTENCY_MEMORY_BYTES = 32L * 1024 * 1024;

    /** Operations with a key that are under way at once: far above what the quotas of tasks allow. */
    public static final int IDEMPOTENCY_UNDER_WAY = 10_000;

    /** The name of a rule: it is in every verdict, and people type it. */
    public static final int POLICY_RULE_CHARS = 128;

    /** Why a rule decides as it does: a few sentences, with room for more around them in an error. */
    public static final int POLICY_REASON_CHARS = 1_000;

    /** How long a question may be open at most: a day, so that one asked in the evening is answered in the morning. */
    public static final long POLICY_ANSWER_MS = 86_400_000;

    /** Rules of one file: asked one after the other, so a spawn waits for all that come before the one that decides. */
    public static final int POLICY_RULES = 1_000;

    /** A file of rules: as many as there may be, a KiB each. */
    public static final int POLICY_FILE_BYTES = 1024 * 1024;

    /** The condition of a rule: a long list of commands fits. */
    public static final int POLICY_CONDITION_CHARS = 8 * 1024;

    /** What a condition may go through, such as the elements of a list, before it is given up: some milliseconds. */
    public static final int POLICY_CONDITION_STEPS = 10_000;

    /** Allowances of one task that are known to be told already; beyond, some are told again. */
    public static final int POLICY_TOLD = 256;

    /** Lines of a terminal's screen that are kept after they have left it at the top: what people scroll back to. */
    public static final int SCREEN_HISTORY_LINES = 1_000;

    /** Cells of all of them: a thousand lines of up to 524 columns, and fewer of those that are wider. */
    public static final int SCREEN_HISTORY_CELLS = 512 * 1024;

    /**
     * What these lines take as a value, or as bytes for a terminal, of which the oldest are left out beyond it: a thousand lines of two
     * hundred columns where each cell has colours of its own, as in pictures.
     */
    public static final int SCREEN_HISTORY_BYTES = 16 * 1024 * 1024;

    /** Cells of a screen that is made on the server: 640 by 400, more than a monitor shows. A larger terminal loses rows of it. */
    public static final int SCREEN_CELLS = 256 * 1024;

    /** Hyperlinks of a terminal's screen and what is above it that are told apart: eight in each line. Beyond, what is linked is plain text. */
    public static final int SCREEN_LINKS = 8_192;

    /** Characters of one of them; most browsers take no more. With all of them, 16 MiB. A longer one is plain text. */
    public static final int SCREEN_LINK_CHARS = 2_048;

    /**
     * Characters of all of them that are told with a screen, each as often as there are cells that look different: forty links of a hundred
     * characters in each line. Beyond, the oldest lines are plain text.
     */
    public static final int SCREEN_LINKS_TOLD_CHARS = 4 * 1024 * 1024;

    /** Output that is emulated between two keyframes of a screen: a few milliseconds. Later ones are farther apart, so that there are never many. */
    public static final int SCREEN_KEYFRAME_BYTES = 1024 * 1024;

    /** Output between two keyframes of which most need not be emulated: to read it and look what it is takes as long. */
    public static final int SCREEN_KEYFRAME_FAR_BYTES = 16 * 1024 * 1024;

    /** Screens that are kept ready because somebody asked for them of late, some hundred KiB each. */
    public static final int SCREENS_READY = 64;

    /** What they may take as values all together, and as much again as bytes for terminals: most take some hundred KiB. */
    public static final long SCREENS_READY_BYTES = 128L * 1024 * 1024;

    /** How far a screen that somebody wants may be behind its task before it is led on: under a millisecond of emulation. */
    public static final int SCREEN_BEHIND_BYTES = 64 * 1024;

    /** The same of one that nobody has asked for, while its task writes: the more at once, the more of it need not be emulated. */
    public static final int SCREEN_UNWANTED_BYTES = 4 * 1024 * 1024;

    private Limits() {}
}
