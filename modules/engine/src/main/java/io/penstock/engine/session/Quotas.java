package io.penstock.engine.session;

/**
 * How many tasks a node takes.
 *
 * @param running at once, of all sessions
 * @param runningPerSession at once, of each session; those that name none have only the first limit
 * @param queued beyond those that run; one more is refused
 */
public record Quotas(int running, int runningPerSession, int queued) {

    /**
     * As many terminals as a machine of two processors holds without being felt, an eighth of them for each session, and a queue
     * that a script fills without thinking.
     */
    public static final Quotas USUAL = new Quotas(512, 64, 10_000);

    public Quotas {
        atLeast(1, running, "running tasks");
        atLeast(1, runningPerSession, "running tasks of a session");
        atLeast(0, queued, "queued tasks");
    }

    private static void atLeast(int least, int number, String what) {
        if (number < least) {
            throw new IllegalArgumentException("The quota of " + what + " is " + least + " or more, not " + number);
        }
    }
}
