package io.penstock.frames;

/** Every limit of the product, with its unit in its name and its reason next to it. */
public final class Limits {

    /** Input or output of an agent's tool call in one frame: two of them fit into a frame with the rest. */
    public static final int AGENT_TOOL_BYTES = 64 * 1024;

    /** Tasks above a task, each started by the one before: deeper ones are a loop. */
    public static final int TASK_DEPTH = 3;

    /** Steps of an agent's plan: more than a person reads. */
    public static final int AGENT_PLAN_ENTRIES = 100;

    /** One step of it, a line or two: all of them fit into a frame. */
    public static final int AGENT_PLAN_ENTRY_CHARS = 500;

    /** Results of agents in one page of a mailbox, after which it ends: eight of the longest. */
    public static final int MAILBOX_RESULT_CHARS = 1024 * 1024;

    /** The name of a model, a level, an agent profile, a batch or a state: what people type, with room for a path in it. */
    public static final int NAME_CHARS = 128;

    /** The newest text of an agent that a list shows: about two lines. */
    public static final int AGENT_LATEST_CHARS = 200;

    /** Fits a UUID, a `bg_` id and the ids that hosts choose, and stays readable in a file name. */
    public static final int STREAM_ID_CHARS = 128;

    /** A frame of this size does not block a shard for long, and a journal segment holds many. */
    public static final int FRAME_BODY_BYTES = 256 * 1024;

    /** Maximum length of a delta: the most that a pump drains at once. */
    public static final int DELTA_BYTES = 64 * 1024;

    /** UTF-8 of a delta's text: an invalid byte becomes U+FFFD, three bytes; the text may include three bytes before the delta. */
    public static final int CHUNK_BYTES = 3 * (DELTA_BYTES + 3);

    /** Decoded bytes of one stdin write: larger than any paste that a terminal sends at once. */
    public static final int STDIN_BYTES = 8 * 1024;

    /** Input buffered for a program that does not read, in addition to its pipe or terminal: the size of a default pipe. */
    public static final int STDIN_WAITING_BYTES = 64 * 1024;

    /** Text in the frames of each output, unless the caller chooses another size; beyond it, frames contain references only. */
    public static final long PREVIEW_BYTES = 512 * 1024;

    /** Default number of stored bytes of each output. */
    public static final long ARTIFACT_BYTES = 16L * 1024 * 1024;

    /** A stream's id and its channel's suffix; still short for a file name. */
    public static final int ARTIFACT_ID_CHARS = 160;

    /**
     * Files held open for growing artifacts: more than are written at the same moment, and half of the smallest common descriptor limit of
     * a process. Reopening one takes some microseconds.
     */
    public static final int ARTIFACT_OPEN_FILES = 512;

    /** Files held open for readers of artifacts: more than are read at the same moment. */
    public static final int ARTIFACT_READ_FILES = 128;

    /**
     * Marks of an artifact's line index, 128 KiB: beyond a GiB of output their distance grows instead of their number, and a lookup scans a
     * little longer.
     */
    public static final int ARTIFACT_LINE_MARKS = 16 * 1024;

    /** Output of a flood that may wait for its digest: the task's end is recorded within a second, and the bytes are read while they are in memory. */
    public static final long ARTIFACT_UNDIGESTED_BYTES = 256L * 1024 * 1024;

    /** Default disk space that outputs leave free, for some journal segments and the writes of Postgres. */
    public static final long DISK_RESERVE_BYTES = 64L * 1024 * 1024;

    /**
     * Inodes that outputs leave free on the disk: for a day's tables of Postgres, journal segments, a full queue with a file each, and the
     * seals and notes of the outputs that are being written. On a usual ext4, a disk of 256 MiB has so many.
     */
    public static final int DISK_RESERVE_INODES = 16 * 1024;

    /** Disk space released for a start on a full disk: a WAL segment of Postgres and two journal segments. */
    public static final long BALLAST_BYTES = 48L * 1024 * 1024;

    /** The newest unstored bytes of an output, kept in memory for live followers: eight of the largest deltas. */
    public static final int ARTIFACT_UNSTORED_BYTES = 512 * 1024;

    /** Outputs whose unstored bytes are kept, those written to last: 64 MiB together. */
    public static final int ARTIFACT_UNSTORED_OUTPUTS = 128;

    /** Gaps inside an artifact, 9 KiB of notes, at least a second apart, from a repeatedly full disk. Beyond that, storing stops for good. */
    public static final int ARTIFACT_GAPS = 256;

    /** Free disk space, beyond the reserve, before a stopped output is stored again, so that it does not stop at once. */
    public static final long ARTIFACT_RESUME_BYTES = 1024 * 1024;

    /** One read of an artifact into memory; larger ranges are sent from the file. */
    public static final int ARTIFACT_READ_BYTES = 16 * 1024 * 1024;

    /** An artifact that a caller stores as a whole: as base64 or with usual escapes, it fits into a request of 1 MiB. */
    public static final int ARTIFACT_STORE_BYTES = 512 * 1024;

    /** One page of an artifact for a model: more than most contexts hold, and as JSON a few milliseconds of an event loop. */
    public static final int ARTIFACT_FETCH_BYTES = 256 * 1024;

    /** The default size of such a page: some thousand lines, about 16,000 tokens. */
    public static final int ARTIFACT_FETCH_USUAL_BYTES = 64 * 1024;

    /** Seals in memory whose seal file could not be written yet: some hundred bytes each. */
    public static final int ARTIFACT_UNNOTED_SEALS = 10_000;

    /** A terminal's rows or columns: the kernel stores them in 16 bits, but no screen needs more than this. */
    public static final int TERMINAL_CELLS_PER_SIDE = 4096;

    /** Characters of a title, reason or error: a line for people, not a document. */
    public static final int TEXT_CHARS = 4096;

    /** A task's label: a few words and a number, such as code-review-pr-42; people type it, and a list shows it uncut. */
    public static final int LABEL_CHARS = 64;

    /** UTF-8 of a task's arguments, a prompt or a result: a command line with a long heredoc fits. */
    public static final int ARGS_BYTES = 128 * 1024;

    /** Nesting of JSON that is passed on: no tool's arguments are deeper, and no stack overflows. */
    public static final int JSON_DEPTH = 128;

    /** 2^53 - 1, the limit of every whole number in a frame, so that readers with doubles lose no digit. */
    public static final long WHOLE_NUMBER = (1L << 53) - 1;

    /** The name of a frame's type. */
    public static final int TYPE_NAME_CHARS = 128;

    /** Frames of one page of a read: some milliseconds of work, some hundred KiB. */
    public static final int PAGE_FRAMES = 1000;

    /** The newest frames of a followed stream in memory: most of a second of a flooded terminal. */
    public static final int TAIL_FRAMES = 4_096;

    /** A frame in the tail. Output by reference takes some thirty bytes, so a tail is at most 4 MiB, 400 KiB in a flood, and usually 5. */
    public static final int TAIL_FRAME_BYTES = 1024;

    /** Frames of output in their public form, shared by a task's viewers; some milliseconds of a busy task. */
    public static final int ENCODED_FRAMES = 128;

    /** The size of each of these; a viewed task holds at most 2 MiB of them. */
    public static final int ENCODED_FRAME_BYTES = 16 * 1024;

    /** Larger frames in their public form: a whole preview has eight of 64 KiB on each channel. */
    public static final int ENCODED_LARGE_FRAMES = 16;

    /** The size of each of these; a viewed task holds at most 2 MiB more. Text with many escapes is larger, but rare. */
    public static final int ENCODED_LARGE_FRAME_BYTES = 128 * 1024;

    /**
     * States of ended tasks in memory, for the tasks that ended last and also for those queried last: a KiB each; with the largest
     * arguments, 16 MiB for either set.
     */
    public static final int ENDED_STATES = 128;

    /** Tasks of one page of a list: more than a person reads at once. */
    public static final int PAGE_TASKS = 200;

    /**
     * Journal bytes that may wait for Postgres before appenders have to wait: about four million frames, an hour of a busy node, drained in
     * a few seconds.
     */
    public static final long JOURNAL_BACKLOG_BYTES = 256L * 1024 * 1024;

    /** All queued spawns on disk: ten thousand of typical size take 10 MiB, the largest take 1 MiB each. */
    public static final long QUEUE_BYTES = 256L * 1024 * 1024;

    /** Queued spawns of one session, so that it takes four sessions to fill the queue. */
    public static final long QUEUE_SESSION_BYTES = QUEUE_BYTES / 4;

    /** Spawns that wait for an answer to policy's question, each a living task: more than people answer. */
    public static final int OPEN_QUESTIONS = 1000;

    /** The characters of their arguments and environments, which wait in memory, in up to four bytes each. */
    public static final long OPEN_QUESTION_CHARS = 16L * 1024 * 1024;

    /** Runs of a task that is queued again when the server dies: a program that ends the server must not do so for ever. */
    public static final int RUNS = 3;

    /** A segment of the journal: zeroed in a few milliseconds, deleted as soon as it is drained. */
    public static final int JOURNAL_SEGMENT_BYTES = 16 * 1024 * 1024;

    /** Appends of one stream that may wait while the log is backlogged; one more is an error. */
    public static final int WAITING_APPENDS_PER_STREAM = 64;

    /** How long answers to commands are kept for repeats. */
    public static final long IDEMPOTENCY_HOURS = 24;

    /** An idempotency key: several times a UUID or a hash. */
    public static final int IDEMPOTENCY_KEY_CHARS = 256;

    /** The owner of a key: longer than an actor's id. With the key it stays below the limit of a Postgres index (2704 bytes). */
    public static final int IDEMPOTENCY_PRINCIPAL_CHARS = 256;

    /** The fingerprint of a request: at most a SHA-512, never the request itself. */
    public static final int IDEMPOTENCY_FINGERPRINT_BYTES = 64;

    /** A stored answer: a command's reply, never a page of output. */
    public static final int IDEMPOTENCY_ANSWER_BYTES = 64 * 1024;

    /** Keys whose answers are also in memory; most repeats come within seconds. */
    public static final int IDEMPOTENCY_ENTRIES = 10_000;

    /** Bytes of the answers in memory: a quarter of a KiB each would be 2.5 MiB; this bounds large ones. */
    public static final long IDEMPOTENCY_MEMORY_BYTES = 32L * 1024 * 1024;

    /** Concurrent operations with a key: far more than the quotas of tasks allow. */
    public static final int IDEMPOTENCY_UNDER_WAY = 10_000;

    /** The name of a rule: every verdict contains it, and people type it. */
    public static final int POLICY_RULE_CHARS = 128;

    /** The reason of a rule: a few sentences, with room for an error's sentence around them. */
    public static final int POLICY_REASON_CHARS = 1_000;

    /** Maximum time for an answer: a day, so that a question asked in the evening can be answered in the morning. */
    public static final long POLICY_ANSWER_MS = 86_400_000;

    /** Rules of one file: evaluated in order, so a spawn waits for all rules before the one that decides. */
    public static final int POLICY_RULES = 1_000;

    /** A file of rules: the maximum number of rules, a KiB each. */
    public static final int POLICY_FILE_BYTES = 1024 * 1024;

    /** The condition of a rule: a long list of commands fits. */
    public static final int POLICY_CONDITION_CHARS = 8 * 1024;

    /** Iterations of a condition, such as over the elements of a list, before it is aborted: some milliseconds. */
    public static final int POLICY_CONDITION_STEPS = 10_000;

    /** Instructions into which a pattern of a condition compiles: a list of hundreds of words, and less than a MiB. */
    public static final int POLICY_PATTERN_STEPS = 10_000;

    /** Allowed operations of one task remembered as recorded; beyond that, some are recorded again. */
    public static final int POLICY_TOLD = 256;

    /** Scrollback lines of a terminal's screen. */
    public static final int SCREEN_HISTORY_LINES = 1_000;

    /** Cells of a screen computed on the server: 640 by 400, more than a monitor shows. A larger terminal loses rows. */
    public static final int SCREEN_CELLS = 256 * 1024;

    /** Output emulated between two keyframes of a screen: a few milliseconds. Later keyframes are farther apart, to bound their number. */
    public static final int SCREEN_KEYFRAME_BYTES = 1024 * 1024;

    /** Output between two keyframes if most of it need not be emulated: reading and scanning it takes as long. */
    public static final int SCREEN_KEYFRAME_FAR_BYTES = 16 * 1024 * 1024;

    /** Cells touched between two keyframes by output that costs more than its bytes suggest: a second or less of emulation. */
    public static final long SCREEN_KEYFRAME_CELLS = 1L << 30;

    /** Cells that one terminal's output touches in a turn: some ten milliseconds of emulation. */
    public static final long SCREEN_TURN_CELLS = 4L * 1024 * 1024;

    /** Recently requested screens that are kept ready, some hundred KiB each. */
    public static final int SCREENS_READY = 64;

    /**
     * Memory of all ready screens, emulators and values; their escape sequences take as much again. Most screens take some hundred KiB. In a
     * small heap the limit is an eighth of it.
     */
    public static final long SCREENS_READY_BYTES = 128L * 1024 * 1024;

    /** How far a requested screen may be behind its task before it is advanced: less than a millisecond of emulation. */
    public static final int SCREEN_BEHIND_BYTES = 64 * 1024;

    /** The same for an unrequested screen while its task writes: the larger the piece, the more of it need not be emulated. */
    public static final int SCREEN_UNWANTED_BYTES = 4 * 1024 * 1024;

    /** Watchers of one task; each is a bit of the automaton that reads the output for all of them. */
    public static final int WATCHERS = 16;

    /** A watcher's pattern: some alternatives of a few words. */
    public static final int WATCH_PATTERN_CHARS = 256;

    /** Instructions of a compiled pattern: the longest one without counted repetitions fits. Each may take ten nanoseconds per character. */
    public static final int WATCH_PATTERN_STEPS = 600;

    /** Instructions of all patterns of a task: those of the longest patterns. The worst patterns read 20 KiB per second then. */
    public static final int WATCH_STEPS = 4_500;

    /** A watcher's event: a name in notifications. */
    public static final int WATCH_EVENT_CHARS = 64;

    /** Text of a match in its frame and notification: some lines of a terminal. */
    public static final int WATCH_TEXT_CHARS = 512;

    /** A match of this length is found in any line and window: some screen lines, so a stack trace's head fits. */
    public static final int WATCH_WINDOW_BYTES = 4 * 1024;

    /** A rolling window before its older part is dropped: four times the longest match, so that a quarter of the output is read twice. */
    public static final int WATCH_ROLL_BYTES = 4 * WATCH_WINDOW_BYTES;

    /** A line that is searched as a whole: JSON of one line and minified code fit, and a usual pattern searches it in a millisecond. */
    public static final int WATCH_LINE_BYTES = 64 * 1024;

    /** Transitions of the automaton that finds candidate lines, 256 KiB; usual patterns have a few thousand. */
    public static final int WATCH_TABLE_ENTRIES = 64 * 1024;

    /** The snippet of a run's newest output: a screen of lines, so that a reader can react without another request. */
    public static final int SNIPPET_CHARS = 4096;

    /** Bytes of the newest output that are read for a snippet: {@link #SNIPPET_CHARS} characters of four bytes each. */
    public static final int SNIPPET_BYTES = 4 * SNIPPET_CHARS;

    /** Frames that are searched for them, from the end: several hundred matches of watchers may lie between two outputs. */
    public static final int SNIPPET_FRAMES = 4 * PAGE_FRAMES;

    /** Unread mailbox items from which on the matches of a watcher are merged: more than a page, so nobody reads them one by one. */
    public static final int MAILBOX_MERGE_FROM = 256;

    /** Matches are merged for this long at first, so that a reader that returns soon gets them soon. */
    public static final long MAILBOX_MERGE_MS = 1_000;

    /**
     * They are merged for twice as long for each further {@link #MAILBOX_MERGE_FROM} unread items, up to this: a watcher whose matches
     * nobody reads writes at most one item a minute.
     */
    public static final long MAILBOX_MERGE_MOST_MS = 60_000;

    /** Watchers of one session whose matches are merged at once, half a KiB each; of more, all are recorded at once. */
    public static final int MAILBOX_MERGED_WATCHERS = 256;

    /** Dead letters of one session: a page of each is kilobytes. At this number, the webhook waits for its receiver. */
    public static final int WEBHOOK_DEAD_LETTERS = 1_000;

    /** Events that wait for a sink of an embedding program, some hundred bytes each, and as many statuses; more are left out and counted. */
    public static final int SINK_EVENTS = 10_000;

    private Limits() {}
}
