package io.penstock.server.ws.wire;

/** The limits of attached viewers, each with its reason. */
public final class WsLimits {

    /** Proxies commonly allow this. Messages to viewers stay below it, unless a single frame is larger. */
    public static final int MESSAGE_BYTES = 64 * 1024;

    /** The largest message from a viewer: the largest input as base64, with its envelope. */
    public static final int CLIENT_MESSAGE_BYTES = 16 * 1024;

    /** The most frames read for a viewer before some are sent; about ten KiB without their output. */
    public static final int BATCH_FRAMES = 256;

    /** Output read at once for a viewer: a message or two. A batch may exceed the ack window by this, so it is not larger. */
    public static final int BATCH_BYTES = 64 * 1024;

    /** Encoded messages in memory for other viewers, of all tasks: a hundred viewers of a flood are seldom further apart. */
    public static final long SHARED_BYTES = 32L * 1024 * 1024;

    /** The memory that one encoded batch takes in addition to its bytes. */
    public static final int SHARED_BATCH_BYTES = 512;

    /**
     * The ack window: what a terminal in a browser parses in about twenty milliseconds, and twice what viewers are asked to
     * acknowledge at once.
     */
    public static final int UNACKNOWLEDGED_BYTES = 128 * 1024;

    /** Often enough for proxies that close connections after half a minute of silence. */
    public static final long PING_MS = 15_000;

    /** In a row: together the time for which the server waits for a viewer that reads nothing; enough to change networks. */
    public static final int UNANSWERED_PINGS = 5;

    /** The least time between two presence messages: when a hundred viewers reconnect, each need not see each arrive. */
    public static final long PRESENCE_MS = 100;

    /** A viewer that lags by more frames is notified, since those are no longer in memory. */
    public static final int LAG_FRAMES = 256;

    /** A viewer that lags by more output catches up with a screen: a terminal parses this in some hundred milliseconds. */
    public static final long LAG_BYTES = 1024 * 1024;

    /** The same soon after a catch-up: the viewer's scrollback is gone already, and newer output is worth more. */
    public static final long LAG_AGAIN_BYTES = 64 * 1024;

    /** Within this time after a catch-up, more output is probably the same flood. */
    public static final long LAG_AGAIN_MS = 10_000;

    /** The remembered operations of each client: this many may be in flight when its connection breaks. */
    public static final int OPERATIONS_KNOWN = 256;

    /** The clients whose operations are remembered, of all tasks; of more, the least recently active are evicted. */
    public static final int CLIENTS_KNOWN = 4096;

    /** The length of a client's own name: a UUID, and some more. */
    public static final int CLIENT_CHARS = 64;

    /** The most output of the history with which a viewer can start, counted from the end. */
    public static final long TAIL_BYTES = 16 * 1024 * 1024;

    private WsLimits() {}
}
