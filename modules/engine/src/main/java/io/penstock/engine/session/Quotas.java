package io.penstock.engine.session;

/**
 * How many tasks a node takes, and how much of each.
 *
 * @param running at once, of all sessions
 * @param runningPerSession at once, of each session; those that name none have only the first limit
 * @param queued beyond those that run; one more is refused
 * @param outputRate bytes that each may write in a second; 0 is without limit
 */
public record Quotas(int running, int runningPerSession, int queued, long outputRate) {

    /**
     * As many terminals as a machine of two processors holds without being felt, an eighth of them for each session, and a queue
     * that a script fills without thinking.
     */
    public static final Quotas USUAL = new Quotas(512, 64, 10_000);

    public Quotas {
        atLeast(1, running, "running tasks");
        atLeast(1, runningPerSession, "running tasks of a session");
        atLeast(0, queued, "queued tasks");
        atLeast(0, outputRate, "output");
    }

    /** Writing as fast as they are read. */
    public Quotas(int running, int runningPerSession, int queued) {
        this(running, runningPerSession, queued, 0);
    }

    private static void atLeast(int least, long number, String what) {
        if (number < least) {
            throw new IllegalArgumentException("The quota of " + what + " is " + least + " or more, not " + number);
        }
    }
}
