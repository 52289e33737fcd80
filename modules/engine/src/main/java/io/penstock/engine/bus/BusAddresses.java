package io.penstock.engine.bus;

import io.penstock.engine.pump.TaskCommand;

/** The engine's addresses on the event bus. */
public final class BusAddresses {

    /** Takes a {@code TaskRequest}, replies with the new task's id, a {@code String}. */
    public static final String SPAWN = "penstock.tasks.spawn";

    /** Takes a {@link TaskCommand}, replies with {@code null} once it is done. */
    public static final String CONTROL = "penstock.tasks.control";

    /** Takes a task's id, replies with its {@code TaskState}. */
    public static final String STATE = "penstock.tasks.state";

    /** Takes a {@code TaskQuery}, replies with a {@code TaskPage}. */
    public static final String LIST = "penstock.tasks.list";

    /** Takes a session's id, replies with its {@code SessionState}. */
    public static final String SESSION = "penstock.sessions.state";

    /** Takes {@link ReadMailbox}, replies with {@code Mailbox.Items}. */
    public static final String MAILBOX = "penstock.sessions.mailbox";

    /** Takes {@link AcknowledgeMailbox}, replies with the {@code SessionState} after it. */
    public static final String ACKNOWLEDGE = "penstock.sessions.acknowledge";

    /** Takes {@link FollowFrames}: history, then live, without a gap, at the follower's own pace. */
    public static final String FOLLOW = "penstock.frames.follow";

    /** The address of a {@link FrameSubscription} to all tasks. */
    static final String FRAMES = "penstock.frames";

    private BusAddresses() {}

    /** The address of a {@link FrameSubscription} to one task. */
    static String framesOf(String taskId) {
        return FRAMES + ".task." + taskId;
    }
}
