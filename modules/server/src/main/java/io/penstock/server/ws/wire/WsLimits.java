package io.penstock.server.ws.wire;

/** Every limit of WebSockets, with its unit in its name and its reason beside it. */
public final class WsLimits {

    /** What proxies commonly let through. Messages to viewers stay below it, unless a single frame is larger. */
    public static final int MESSAGE_BYTES = 64 * 1024;

    /** From a viewer: the largest input as base64, and a little beside. */
    public static final int ASKED_BYTES = 16 * 1024;

    /** Frames that a viewer holds before it takes no more; some ten KiB without their output. */
    public static final int BATCH_FRAMES = 256;

    /** Output read at once for a viewer: a message or two. It may be under way beyond what follows, so it is not more than that. */
    public static final int BATCH_BYTES = 64 * 1024;

    /** Messages that are kept for other viewers, of all tasks: a hundred viewers of a flood are seldom further apart. */
    public static final long SHARED_BYTES = 32L * 1024 * 1024;

    /** What keeping a batch of them takes besides. */
    public static final int SHARED_BATCH_BYTES = 512;

    /** Output that may be under way to a viewer who acknowledges: what a terminal in a browser parses in some twenty milliseconds; twice what those hold back who tell seldom. */
    public static final int UNACKNOWLEDGED_BYTES = 128 * 1024;

    /** Often enough for proxies that close what is silent for half a minute. */
    public static final long PING_MS = 15_000;

    /** As many in a row: together as long as the server waits for who takes nothing, and time enough for a change of networks. */
    public static final int UNANSWERED_PINGS = 5;

    /** Who else is there is told at once, but not more often than this: of a hundred who come back, each need not see each. */
    public static final long OTHERS_MS = 100;

    /** A viewer who is this many frames behind is told so: those are not in memory any more. */
    public static final int BEHIND_FRAMES = 256;

    /** Output that a viewer who jumps may be behind by: what a terminal parses in some hundred milliseconds, and a screen spares it. */
    public static final long JUMP_BYTES = 1024 * 1024;

    /** The same of one who has jumped just before: what it had above its screen is gone already, and newer output is worth more to it. */
    public static final long JUMP_AGAIN_BYTES = 64 * 1024;

    /** So long after a jump it is still the same flood, or the next of whoever likes them. */
    public static final long JUMP_AGAIN_MS = 10_000;

    /** Of each client: of those sent again after a reconnect, as many may have been under way. */
    public static final int OPERATIONS_KNOWN = 256;

    /** Clients whose operations are known, of all tasks; beyond it, those longest silent are forgotten. */
    public static final int CLIENTS_KNOWN = 4096;

    /** Of a client's own name for itself: a UUID, and some more. */
    public static final int CLIENT_CHARS = 64;

    /** From the end, for who wants no more of a long history. */
    public static final long TAIL_BYTES = 16 * 1024 * 1024;

    private WsLimits() {}
}
