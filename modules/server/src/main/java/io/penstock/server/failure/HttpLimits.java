package io.penstock.server.failure;

import io.penstock.frames.Limits;

/** Every limit of HTTP, with its unit in its name and its reason beside it. */
public final class HttpLimits {

    /** A task's arguments with all their escapes, and the values of its environment beside them. */
    public static final int BODY_BYTES = 1024 * 1024;

    /** Beyond the longest path and query that mean something here. */
    public static final int FIRST_LINE_BYTES = 4096;

    /** A token, cookies of others on the same host, what proxies add. */
    public static final int HEADER_BYTES = 16 * 1024;

    /** Each costs a descriptor and some KiB; a browser opens six, an agent platform some hundreds. */
    public static final int CONNECTIONS = 4096;

    /** Longer than {@link #WAIT_MS}, and several heartbeats of an event stream. */
    public static final int IDLE_SECONDS = 75;

    /** For the whole body to arrive: 1 MiB over a slow mobile line. */
    public static final int BODY_SECONDS = 30;

    /** For callers behind gateways that give up after 60 s. */
    public static final int WAIT_MS = 50_000;

    /** For a task to do what it is told, which may have to wait for a program that does not read its input. */
    public static final int OPERATION_SECONDS = 25;

    /** One page of output as JSON: some milliseconds of the event loop. */
    public static final int OUTPUT_PAGE_BYTES = 1024 * 1024;

    /** What one page of output has unless asked otherwise. */
    public static final int OUTPUT_USUAL_BYTES = (int) Limits.PREVIEW_BYTES;

    /** Events gathered into one write, unless a single one is larger. */
    public static final int EVENT_BATCH_BYTES = 64 * 1024;

    /** Frames that a viewer's stream holds before it takes no more: some batches, some ten KiB without their text. */
    public static final int EVENT_BATCH_FRAMES = 256;

    private HttpLimits() {}
}
