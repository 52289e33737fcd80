package io.penstock.engine.bus;

/** Where on the event bus the engine is spoken to, and where it speaks. */
public final class BusAddresses {

    /** Takes a {@code TaskRequest}, answers with the new task's id, a {@code String}. */
    public static final String SPAWN = "penstock.tasks.spawn";

    /** Takes a {@link TaskCommand}, answers {@code null} once it is done. */
    public static final String CONTROL = "penstock.tasks.control";

    /** Takes a task's id, answers with its {@code TaskState}. */
    public static final String STATE = "penstock.tasks.state";

    /** Takes a {@code TaskQuery}, answers with a {@code TaskPage}. */
    public static final String LIST = "penstock.tasks.list";

    /** Takes {@link FollowFrames}: history, then live, without a gap, in the follower's own time. */
    public static final String FOLLOW = "penstock.frames.follow";

    /** What a {@link FrameSubscription} to all tasks hears. */
    static final String FRAMES = "penstock.frames";

    private BusAddresses() {}

    /** What a {@link FrameSubscription} to one task hears. */
    static String framesOf(String taskId) {
        return FRAMES + ".task." + taskId;
    }
}
