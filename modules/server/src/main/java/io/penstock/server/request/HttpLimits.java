package io.penstock.server.request;

import io.penstock.frames.Limits;

/** Every limit of HTTP, with its unit in its name and its reason in its comment. */
public final class HttpLimits {

    /** A task's arguments with all their escapes, and its environment. */
    public static final int BODY_BYTES = 1024 * 1024;

    /** A body up to this size is read at once: most are. One for each possible connection takes 64 MiB. */
    public static final int SMALL_BODY_BYTES = 16 * 1024;

    /** The memory of a byte of a larger body: the growing buffer, its copy, and the texts read from it. */
    public static final int BODY_FACTOR = 4;

    /** Beyond the longest valid path and query. */
    public static final int FIRST_LINE_BYTES = 4096;

    /** A token, other cookies of the same host, and additions of proxies. */
    public static final int HEADER_BYTES = 16 * 1024;

    /**
     * Connections with a valid credential, in a large heap: see {@link #connections}. Each costs a descriptor and a few
     * KiB; a browser opens six, an agent platform several hundred.
     */
    public static final int CONNECTIONS = 4096;

    /** The memory that a connection needs at most: that of a viewer that reads nothing, which is sent output as JSON. */
    private static final int CONNECTION_BYTES = 512 * 1024;

    /** The connections with a valid credential that a heap of this size suffices for. */
    public static int connections(long heapBytes) {
        return Math.clamp(heapBytes / CONNECTION_BYTES, 1, CONNECTIONS);
    }

    /**
     * Connections without a valid credential so far: more than browsers and health checks open in {@link
     * #STRANGER_SECONDS}.
     */
    public static final int STRANGERS = 512;

    /** Further ones from which the server has not read yet: those that arrive during a slow turn of an event loop. */
    public static final int UNREAD_STRANGERS = 4 * STRANGERS;

    /**
     * From accepting a connection to its first complete request with a valid credential: a head of 16 KiB over a slow
     * mobile line.
     */
    public static final int STRANGER_SECONDS = 10;

    /** Log lines about what callers sent: enough to see what is wrong, too few to fill a disk. */
    public static final int LOG_LINES_PER_SECOND = 10;

    /** Longer than {@link #WAIT_MS}, and several heartbeats of an event stream. */
    public static final int IDLE_SECONDS = 75;

    /** For the whole body to arrive: 1 MiB over a slow mobile line. */
    public static final int BODY_SECONDS = 30;

    /** For callers behind gateways that give up after 60 s. */
    public static final int WAIT_MS = 50_000;

    /** For a task to execute a command, which may have to wait for a program that does not read its input. */
    public static final int OPERATION_SECONDS = 25;

    /** One page of output as JSON: a few milliseconds of the event loop. */
    public static final int OUTPUT_PAGE_BYTES = 1024 * 1024;

    /** The default size of one page of output. */
    public static final int OUTPUT_USUAL_BYTES = (int) Limits.PREVIEW_BYTES;

    /**
     * The JSON size of a byte of output in the worst case, where every byte is a control character, plus its copy as
     * text.
     */
    public static final int OUTPUT_JSON_FACTOR = 10;

    /** The memory of one listed task, including its JSON: its title and error in full, and its logs. */
    public static final int LISTED_TASK_BYTES = 32 * 1024;

    /** Clients that follow a list at the same time: the visible tabs of a team. */
    public static final int FEEDS = 64;

    /** Rows in one event about a list: a page, some hundred KiB at most. */
    public static final int FEED_TASKS = 50;

    /** Changed tasks that are noted for a client that does not read; beyond, it reads its list again. */
    public static final int FEED_PENDING = 1000;

    /** The memory of one listed session, including its JSON: an id and some numbers. */
    public static final int LISTED_SESSION_BYTES = 2 * 1024;

    /** The memory of one page of a mailbox, including its JSON: of a thousand frames, those that are items. */
    public static final int MAILBOX_BYTES = 8 * 1024 * 1024;

    /** The memory of one page of verdicts, including its JSON: a thousand frames with their reasons. */
    public static final int VERDICTS_BYTES = 8 * 1024 * 1024;

    /** The memory of a task's watchers, including their JSON, and of a page of frames. */
    public static final int WATCHERS_BYTES = 1024 * 1024;

    /** The memory of one page of hits, including its JSON: up to two thousand, with a text of at most 512 characters. */
    public static final int HITS_BYTES = 12 * 1024 * 1024;

    /** The memory of one page of what a task used, including its JSON: up to two thousand samples. */
    public static final int USAGE_BYTES = 4 * 1024 * 1024;

    /** Items of a page of a mailbox with snippets: as many as a model reads at once; each costs a read of the output. */
    public static final int SNIPPET_ITEMS = 50;

    /** The memory of such an item: its snippet as JSON in the worst case, the bytes behind it, and a page of frames that is searched. */
    public static final int SNIPPET_ITEM_BYTES = 64 * 1024;

    /** The memory of a recording: a page of frames and a few pieces. */
    public static final int RECORDING_BYTES = 1024 * 1024;

    /** Events gathered into one write, unless a single one is larger. */
    public static final int EVENT_BATCH_BYTES = 64 * 1024;

    /**
     * Frames that a viewer's stream holds before it accepts no more: a few batches, some ten KiB without their text.
     */
    public static final int EVENT_BATCH_FRAMES = 256;

    private HttpLimits() {}
}
