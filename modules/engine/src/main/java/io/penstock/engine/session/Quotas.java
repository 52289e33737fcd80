package io.penstock.engine.session;

/**
 * The limits on a node's tasks.
 *
 * @param running maximum number of running tasks, of all sessions
 * @param runningPerSession maximum number of running tasks of a session; tasks without one have only the first limit
 * @param queued maximum number of queued tasks; further ones are refused
 * @param outputRate bytes per second that each may write; 0 for no limit
 * @param agents maximum number of running agents, of all sessions; they do not count as running tasks
 * @param agentsPerSession maximum number of running agents of a session
 */
public record Quotas(
        int running, int runningPerSession, int queued, long outputRate, int agents, int agentsPerSession) {

    private static final int AGENTS = 50;
    private static final int AGENTS_PER_SESSION = 5;

    /**
     * As many terminals as a machine with two processors runs without noticeable load, an eighth of them for each session, and a queue
     * large enough for a careless script.
     */
    public static final Quotas DEFAULT = new Quotas(512, 64, 10_000);

    public Quotas {
        atLeast(1, running, "running tasks");
        atLeast(1, runningPerSession, "running tasks of a session");
        atLeast(0, queued, "queued tasks");
        atLeast(0, outputRate, "output");
        atLeast(1, agents, "running agents");
        atLeast(1, agentsPerSession, "running agents of a session");
    }

    /** With the default limits on agents. */
    public Quotas(int running, int runningPerSession, int queued, long outputRate) {
        this(running, runningPerSession, queued, outputRate, AGENTS, AGENTS_PER_SESSION);
    }

    /** Without a limit on the output rate. */
    public Quotas(int running, int runningPerSession, int queued) {
        this(running, runningPerSession, queued, 0);
    }

    /** The limits of agents, as if there were nothing else. */
    Quotas ofAgents() {
        return new Quotas(agents, agentsPerSession, queued, outputRate);
    }

    /** The same with other limits on agents. */
    public Quotas withAgents(int running, int runningPerSession) {
        return new Quotas(this.running, this.runningPerSession, queued, outputRate, running, runningPerSession);
    }

    private static void atLeast(int least, long number, String what) {
        if (number < least) {
            throw new IllegalArgumentException(
                    "the quota of " + what + " must be " + least + " or more, not " + number);
        }
    }
}
