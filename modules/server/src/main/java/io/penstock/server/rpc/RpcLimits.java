package io.penstock.server.rpc;

/** Limits of the RPC port. */
public final class RpcLimits {

    /** A request: the longest prompt several times over, in the worst escaping. */
    public static final int LINE_BYTES = 1024 * 1024;

    /** The first line, of a connection that may be anybody's: a token, or a request that is not a prompt. */
    public static final int FIRST_LINE_BYTES = 16 * 1024;

    /** Requests of a connection that are carried out or wait for each other; beyond it, no more is read. */
    public static final int REQUESTS = 64;

    /** The bytes of these requests. */
    public static final int REQUEST_BYTES = 2 * 1024 * 1024;

    /**
     * Answers and events that a host has not read. Output waits in the ledger long before; what is left comes from other hosts' switches and
     * from answers, so a connection beyond it is closed.
     */
    public static final int UNREAD_BYTES = 32 * 1024 * 1024;

    /** Lines that are gathered for one write; with more, events wait in the ledger. */
    static final int GATHERED_BYTES = 64 * 1024;

    /** From the answer that ends a connection to its end. */
    static final long END_MS = 250;

    /** Events that are kept encoded, for the connections that have not sent them yet. */
    static final int ENCODED_EVENTS = 256;

    /**
     * For a host to acknowledge bytes that it was sent: a suspended laptop, but not a lost one. Linux counts the time that a host takes nothing,
     * too, once its buffers are full.
     */
    static final int UNACKNOWLEDGED_MS = 60_000;

    /** Of a silent host, before it is probed; if it does not acknowledge that either, the connection ends after {@link #UNACKNOWLEDGED_MS}. */
    static final int SILENT_SECONDS = 60;

    /** Between two such probes. */
    static final int PROBE_SECONDS = 10;

    /** For the answers to a host that sends no more: longer than the longest request. */
    static final long LAST_ANSWERS_MS = 180_000;

    private RpcLimits() {}
}
