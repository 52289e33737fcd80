package io.penstock.server.webhook;

/** Every limit of webhooks, with its unit in its name and its reason in its comment. */
public final class WebhookLimits {

    /** Sessions with a webhook: each follows its session's stream, some KiB. */
    public static final int WEBHOOKS = 1_000;

    /** Deliveries at once on the node; each session has at most one. Each holds a connection and an item with its snippet. */
    public static final int DELIVERIES = 32;

    /** A URL, with a token in its query. */
    public static final int URL_CHARS = 2_048;

    /** The bytes of a secret, as Standard Webhooks has them. */
    public static final int LEAST_SECRET_BYTES = 24;

    public static final int MOST_SECRET_BYTES = 64;

    /** For a connection, with TLS: a receiver on another continent takes a second. */
    static final int CONNECT_MS = 5_000;

    /** To look up a name; a name server that does not answer is asked again with the next attempt. */
    static final int LOOKUP_MS = 5_000;

    /** Threads that look up names: the JVM's lookup blocks. */
    static final int LOOKUPS = 4;

    /** Bytes of an answer's body that are read, to use the connection again; beyond them, it is closed. */
    static final int ANSWER_BYTES = 64 * 1024;

    /** The longest wait that a receiver may ask for with Retry-After. */
    static final long RETRY_AFTER_MOST_MS = 3_600_000;

    /** A wait for the log when it does not take what became of an item. */
    static final long RECORD_RETRY_MS = 1_000;

    /** Characters of an error in a frame: a sentence. */
    static final int ERROR_CHARS = 500;

    private WebhookLimits() {}
}
