package io.penstock.frames;

import static io.penstock.frames.Channel.PTY;
import static io.penstock.frames.Channel.STDERR;
import static io.penstock.frames.Channel.STDOUT;
import static io.penstock.frames.Story.ALICE;
import static io.penstock.frames.Story.whole;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** For every rule of the state machine, a frame that breaks it at a place of a golden stream. */
final class IllegalStreams {

    private static final Map<String, Story> GOLDEN = GoldenStreams.all();

    private static final Place NOTHING = new Place("none", 0);
    private static final Place QUEUED = new Place("exit-n", 1);
    private static final Place STARTING = new Place("exec-error", 2);
    private static final Place RUNNING = new Place("exit-n", 2);
    /** Six bytes of stdout, all stored. */
    private static final Place WROTE = new Place("watcher-hit", 4);
    /** 70,000 bytes of stdout, the first 61,440 of them stored. */
    private static final Place PARTLY_STORED = new Place("output-gap", 4);

    private static final Place ENDED = new Place("exit-n", 5);
    private static final Place CLEARED = new Place("recover-and-clear", 10);
    private static final Place TERMINAL_QUEUED = new Place("pty-control", 1);
    private static final Place STOPPING = new Place("cancel", 4);
    private static final Place STOPPED = new Place("cancel", 6);
    private static final Place TIMED_OUT = new Place("timeout", 5);
    private static final Place IN_TURN = new Place("resume", 3);
    /** A program asks in the middle of a turn. */
    private static final Place ASKED = new Place("permission-in-turn", 5);

    private static final Place INPUT_CLOSED = new Place("stdin-open", 5);
    private static final Place AGENT_OPEN = new Place("agent", 3);
    private static final Place AGENT_IN_TURN = new Place("agent", 4);
    private static final Place AGENT_ENDED = new Place("agent", 20);

    private IllegalStreams() {}

    /**
     * A place in a golden stream.
     *
     * @param line the number of frames up to it, the first {@code tool_task_spawned}; 0 for no frame of any stream
     */
    record Place(String stream, int line) {

        List<Frame> frames() {
            return line == 0
                    ? List.of()
                    : Objects.requireNonNull(GOLDEN.get(stream)).frames().subList(0, line);
        }

        TaskState state() {
            return TaskState.fold(frames());
        }

        long now() {
            return Story.START_MS + 100L * line;
        }

        /** The next frame, with this body. */
        Frame next(FrameBody body) {
            return new Frame(StreamId.task(stream), line, now(), body);
        }

        /** As the file names it: the stream's file and the line of the last frame. */
        @Override
        public String toString() {
            return stream + ".jsonl:" + line;
        }
    }

    /** One illegal frame, and the place after which it cannot come. */
    record Illegal(Place after, Frame frame) {}

    static Map<String, Illegal> all() {
        var all = new LinkedHashMap<String, Illegal>();
        order(all);
        statuses(all);
        output(all);
        control(all);
        stopping(all);
        turns(all);
        agents(all);
        runs(all);
        return all;
    }

    private static void order(Map<String, Illegal> all) {
        Frame next = QUEUED.next(running(QUEUED));
        all.put("seq-gap", new Illegal(QUEUED, new Frame(next.stream(), 2, next.timestampMs(), next.body())));
        all.put("seq-twice", new Illegal(RUNNING, RUNNING.frames().getLast()));
        put(all, "first-is-output", NOTHING, new ToolTaskOutputDelta(STDOUT, 0, 1, 1));
        put(all, "spawned-twice", QUEUED, Story.spec(ExecutionMode.PIPES));
        StreamId session = StreamId.session("cli");
        var stdout = new ToolStdout(StreamId.task("t"), "hello\n", 2);
        var renamed = new UnknownFrame("session_renamed", JsonText.EMPTY);
        all.put("session-frame-in-task", new Illegal(NOTHING, new Frame(session, 0, NOTHING.now(), stdout)));
        all.put("unknown-session-frame-in-task", new Illegal(NOTHING, new Frame(session, 0, NOTHING.now(), renamed)));
    }

    private static void statuses(Map<String, Illegal> all) {
        put(all, "running-before-spawn", NOTHING, running(NOTHING));
        put(all, "refusal-not-failed", NOTHING, end(NOTHING, Ending.exit(0)));
        put(all, "running-twice", RUNNING, running(RUNNING));
        put(all, "idle-by-status", RUNNING, status(Phase.IDLE));
        put(all, "stopping-by-status", RUNNING, status(Phase.STOPPING));
        put(all, "starting-to-queued", STARTING, status(Phase.QUEUED));
        put(all, "queued-after-start", ASKED, status(Phase.QUEUED));
        put(all, "starting-after-start", ASKED, status(Phase.STARTING));
        put(all, "started-at-another-time", ASKED, running(ASKED));
        put(all, "status-after-end", ENDED, running(ENDED));
        put(all, "ended-twice", ENDED, end(ENDED, Ending.exit(0)));
        put(all, "log-never-spawned", RUNNING, end(RUNNING, Ending.exit(0), whole(PTY, 0)));
        Place said = new Place("exit-n", 4);
        put(all, "log-shorter-than-output", said, end(said, Ending.exit(0), whole(STDOUT, 10), whole(STDERR, 19)));
    }

    private static void output(Map<String, Illegal> all) {
        var hello = new ToolTaskOutputDelta(STDOUT, 0, 6, 6);
        put(all, "output-while-queued", QUEUED, hello);
        put(all, "output-while-starting", STARTING, hello);
        put(all, "output-while-policy-asks", new Place("policy-ask", 3), hello);
        put(all, "output-after-end", ENDED, new ToolTaskOutputDelta(STDOUT, 10, 6, 16));
        put(all, "output-of-no-channel", RUNNING, new ToolTaskOutputDelta(PTY, 0, 6, 6));
        put(all, "output-gap", WROTE, new ToolTaskOutputDelta(STDOUT, 7, 6, 6));
        put(all, "output-overlap", WROTE, new ToolTaskOutputDelta(STDOUT, 5, 6, 6));
        put(all, "stored-shrinks", WROTE, new ToolTaskOutputDelta(STDOUT, 6, 6, 5));
        put(all, "gap-before-output", RUNNING, new ToolTaskOutputGap(STDOUT, 0, 1, "full"));
        put(all, "gap-of-no-channel", WROTE, new ToolTaskOutputGap(PTY, 0, 6, "full"));
        put(all, "gap-of-stored-bytes", WROTE, new ToolTaskOutputGap(STDOUT, 5, 1, "full"));
        put(all, "gap-beyond-output", PARTLY_STORED, new ToolTaskOutputGap(STDOUT, 61_440, 8_561, "full"));
        put(
                all,
                "gap-recorded-twice",
                new Place("output-gap", 7),
                new ToolTaskOutputGap(STDOUT, 61_440, 13_560, "full"));
        put(all, "gap-after-end", ENDED, new ToolTaskOutputGap(STDOUT, 10, 1, "full"));
        put(all, "watcher-of-no-channel", WROTE, hit(PTY, 0, 3, 2));
        put(all, "watcher-beyond-output", WROTE, hit(STDOUT, 4, 3, 2));
        put(all, "watcher-from-later-frame", WROTE, hit(STDOUT, 0, 3, 4));
        put(all, "watcher-after-end", ENDED, hit(STDOUT, 0, 3, 2));
        put(all, "screen-without-terminal", WROTE, new TaskScreenKeyframe("a-screen", 0, 24, 80));
        Place tenBytes = new Place("pty-control", 3);
        put(all, "screen-beyond-output", tenBytes, new TaskScreenKeyframe("a-screen", 11, 24, 80));
    }

    private static void control(Map<String, Illegal> all) {
        put(all, "stdin-without-terminal", RUNNING, new ToolTaskStdinWritten(1, "YQ==", ALICE));
        put(all, "stdin-before-start", TERMINAL_QUEUED, new ToolTaskStdinWritten(1, "YQ==", ALICE));
        put(all, "stdin-after-close", INPUT_CLOSED, new ToolTaskStdinWritten(1, "YQ==", ALICE));
        put(all, "stdin-closed-twice", INPUT_CLOSED, new TaskStdinClosed(ALICE));
        put(all, "stdin-closed-without-input", RUNNING, new TaskStdinClosed(ALICE));
        put(all, "stdin-closed-on-terminal", new Place("pty-control", 2), new TaskStdinClosed(ALICE));
        put(all, "stdin-closed-before-start", new Place("stdin-open", 1), new TaskStdinClosed(ALICE));
        put(all, "resize-without-terminal", RUNNING, new ToolTaskResized(24, 80, ALICE));
        put(all, "resize-before-start", TERMINAL_QUEUED, new ToolTaskResized(24, 80, ALICE));
        put(all, "signal-before-start", QUEUED, new ToolTaskSignalled("INT", ALICE));
        put(all, "signal-after-end", ENDED, new ToolTaskSignalled("INT", ALICE));
        put(all, "in-a-lane-while-running", RUNNING, new TaskQueued("cli", 1));
        put(all, "artifact-after-end", ENDED, new ArtifactWritten("a", "log", 0, "sha256:" + "0".repeat(64), null));
        put(
                all,
                "verdict-after-end",
                ENDED,
                new TaskPolicyVerdict("stdin", TaskPolicyVerdict.Verdict.DENY, "r", null, ALICE));
        put(all, "notice-after-end", ENDED, new TaskNotice("late", "too late"));
        put(all, "usage-after-end", ENDED, new TaskUsage(1, 1, 1));
        put(all, "resource-usage-after-end", ENDED, new TaskResourceUsage(1, 1, 1, 1, 1, 1));
        put(all, "usage-beyond-count", new Place("resume", 4), new TaskUsage(0, Limits.WHOLE_NUMBER, 0));
        put(all, "cleared-while-running", RUNNING, new TaskCleared(ALICE));
        put(all, "cleared-twice", CLEARED, new TaskCleared(ALICE));
        put(all, "pinned-twice", new Place("pinned", 2), new TaskPinned(true, ALICE));
        put(all, "unpinned-without-pin", ENDED, new TaskPinned(false, ALICE));
    }

    private static void stopping(Map<String, Illegal> all) {
        var request = new ToolTaskCancelRequested(null, Cause.REQUEST, ALICE);
        put(all, "cancel-requested-twice", STOPPING, request);
        put(all, "cancel-after-end", ENDED, request);
        put(all, "cancelled-without-request", RUNNING, new ToolTaskCancelled(null, 5));
        put(all, "cancelled-twice", STOPPED, new ToolTaskCancelled(null, 5));
        put(all, "running-while-stopping", STOPPING, running(STOPPING));
        var cancelled = new Ending(Outcome.CANCELLED, 143, 15);
        put(all, "outcome-cancelled-unproven", STOPPING, end(STOPPING, cancelled));
        put(all, "outcome-timed-out-unproven", STOPPING, end(STOPPING, new Ending(Outcome.TIMED_OUT, 143, 15)));
        put(all, "outcome-not-cancelled", STOPPED, end(STOPPED, Ending.exit(0)));
        put(all, "outcome-cancelled-for-timeout", TIMED_OUT, end(TIMED_OUT, cancelled));
    }

    private static void turns(Map<String, Illegal> all) {
        put(all, "turn-before-start", QUEUED, turn(1, TaskTurnStarted.Kind.PROMPT));
        put(all, "prompt-while-one-runs", IN_TURN, turn(2, TaskTurnStarted.Kind.PROMPT));
        put(all, "resume-while-one-runs", IN_TURN, turn(2, TaskTurnStarted.Kind.RESUME));
        put(all, "steer-before-start", QUEUED, turn(1, TaskTurnStarted.Kind.STEER));
        put(all, "turn-number-gap", RUNNING, turn(2, TaskTurnStarted.Kind.PROMPT));
        put(all, "settled-without-turn", RUNNING, new TaskTurnSettled(1, "end_turn", null));
        put(all, "settled-other-turn", IN_TURN, new TaskTurnSettled(2, "end_turn", null));
        put(all, "settled-while-asked", ASKED, new TaskTurnSettled(1, "end_turn", null));
    }

    private static void agents(Map<String, Illegal> all) {
        var opened = new TaskAgentOpened("c-1", false, true, null, null);
        put(all, "agent-opened-without-agent", RUNNING, opened);
        put(all, "agent-opened-before-start", new Place("agent", 1), opened);
        put(all, "agent-message-without-turn", AGENT_OPEN, message(1));
        put(all, "agent-message-of-other-turn", AGENT_IN_TURN, message(2));
        put(all, "agent-message-without-agent", IN_TURN, message(1));
        put(all, "agent-message-after-end", AGENT_ENDED, message(2));
        var call = new TaskAgentToolCall(2, "t-9", "bash", null, null, null, null, null);
        put(all, "agent-tool-call-of-other-turn", AGENT_IN_TURN, call);
        put(all, "agent-plan-of-other-turn", AGENT_IN_TURN, new TaskAgentPlan(2, List.of()));
        var succeeded = new Ending(Outcome.SUCCEEDED, null, null);
        put(all, "succeeded-without-exit-code", RUNNING, end(RUNNING, succeeded));
        put(all, "woke-before-end", new Place("wakes", 2), new TaskWoke("agent", null));
        put(all, "woke-another-agent", new Place("wakes", 3), new TaskWoke("agent-2", null));
        put(all, "woke-twice", new Place("wakes", 4), new TaskWoke("agent", null));
        put(all, "woke-unasked", ENDED, new TaskWoke("agent", null));
    }

    private static TaskAgentMessage message(int turn) {
        return new TaskAgentMessage(turn, TaskAgentMessage.Role.ASSISTANT, null, "done");
    }

    private static void runs(Map<String, Illegal> all) {
        var again = new TaskRunStarted(2, TaskRunStarted.Kind.RESUME, ALICE);
        put(all, "run-while-running", RUNNING, again);
        put(all, "run-while-stopping", STOPPING, new TaskRunStarted(2, TaskRunStarted.Kind.RECOVER, Actor.SERVER));
        put(all, "run-number-gap", ENDED, new TaskRunStarted(3, TaskRunStarted.Kind.RECOVER, Actor.SERVER));
        put(all, "run-after-refusal", new Place("refused-spawn", 1), again);
        var asked = new RefusedSpawn("bash", new JsonText("{}"), null, null, ExecutionMode.PIPES, null, null, ALICE);
        put(
                all,
                "refused-after-spawn",
                QUEUED,
                ToolTaskStatus.refusal(asked, 1, "not allowed", Cause.POLICY, Actor.POLICY));
        put(all, "run-after-cleared", CLEARED, new TaskRunStarted(3, TaskRunStarted.Kind.RESUME, ALICE));
    }

    private static void put(Map<String, Illegal> all, String name, Place after, FrameBody illegal) {
        all.put(name, new Illegal(after, after.next(illegal)));
    }

    private static ToolTaskStatus end(Place after, Ending ending, LogEnd... logs) {
        Long started = after.state().run().startedAtMs();
        return new ToolTaskStatus(
                Phase.ENDED, ending, started, after.now(), List.of(logs), null, null, Cause.EXIT, Actor.REAPER);
    }

    private static ToolTaskStatus running(Place after) {
        return ToolTaskStatus.running(after.now());
    }

    private static ToolTaskStatus status(Phase phase) {
        return Story.status(phase, Cause.REQUEST, ALICE);
    }

    private static TaskWatcherHit hit(Channel channel, long offset, int bytes, long frameSeq) {
        return new TaskWatcherHit("w-1", "found", channel, offset, bytes, "abc", frameSeq);
    }

    private static TaskTurnStarted turn(int turn, TaskTurnStarted.Kind kind) {
        return new TaskTurnStarted(turn, kind, "go on", null, ALICE);
    }
}
