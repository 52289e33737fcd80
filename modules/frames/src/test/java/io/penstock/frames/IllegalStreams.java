package io.penstock.frames;

import static io.penstock.frames.Channel.PTY;
import static io.penstock.frames.Channel.STDERR;
import static io.penstock.frames.Channel.STDOUT;
import static io.penstock.frames.Story.ALICE;
import static io.penstock.frames.Story.whole;

import java.util.LinkedHashMap;
import java.util.Map;

/** For every rule of the state machine, a stream that breaks it with its last frame. */
final class IllegalStreams {

    private IllegalStreams() {}

    /**
     * One illegal stream.
     *
     * @param before the legal part
     * @param illegal the frame that cannot follow it
     */
    record Illegal(Story before, Frame illegal) {}

    static Map<String, Illegal> all() {
        var all = new LinkedHashMap<String, Illegal>();
        order(all);
        statuses(all);
        output(all);
        control(all);
        stopping(all);
        turns(all);
        runs(all);
        return all;
    }

    private static void order(Map<String, Illegal> all) {
        Story one = new Story("gap").pipes();
        all.put("seq-gap", new Illegal(one, new Frame(StreamId.task("gap"), 2, one.now(), running(one))));
        Story two = new Story("twice").pipes().running();
        all.put("seq-twice", new Illegal(two, two.frames().getLast()));
        put(all, "first-is-output", new Story("first"), new ToolTaskOutputDelta(STDOUT, 0, 1, 1));
        put(all, "spawned-twice", new Story("twice").pipes(), Story.spec(ExecutionMode.PIPES));
        Story session = new Story(StreamId.session("cli"));
        all.put(
                "session-frame-in-task",
                new Illegal(session, session.next(new ToolStdout(StreamId.task("t"), "hello\n", 2))));
        all.put(
                "unknown-session-frame-in-task",
                new Illegal(session, session.next(new UnknownFrame("session_renamed", JsonText.EMPTY))));
    }

    private static void statuses(Map<String, Illegal> all) {
        Story spawned = new Story("s").pipes();
        put(all, "running-before-spawn", new Story("s"), running(new Story("s")));
        put(all, "refusal-not-failed", new Story("s"), spawned.end(Ending.exit(0), null, Cause.EXIT, Actor.REAPER));
        put(all, "running-twice", new Story("s").pipes().running(), running(spawned));
        put(all, "idle-by-status", new Story("s").pipes().running(), status(Phase.IDLE));
        put(all, "stopping-by-status", new Story("s").pipes().running(), status(Phase.STOPPING));
        put(all, "starting-to-queued", new Story("s").pipes().phase(Phase.STARTING, Cause.REQUEST, ALICE), queued());
        Story asked = new Story("s")
                .pipes()
                .running()
                .then(ToolTaskStatus.awaiting("Overwrite?", Cause.PROGRAM, Actor.PROGRAM));
        put(all, "queued-after-start", asked, queued());
        put(all, "starting-after-start", asked, status(Phase.STARTING));
        put(all, "started-at-another-time", asked, running(asked));
        put(all, "status-after-end", ended(), running(spawned));
        put(all, "ended-twice", ended(), spawned.end(Ending.exit(0), null, Cause.EXIT, Actor.REAPER));
        put(
                all,
                "log-never-spawned",
                new Story("s").pipes().running(),
                spawned.end(Ending.exit(0), null, Cause.EXIT, Actor.REAPER, whole(PTY, 0)));
        put(
                all,
                "log-shorter-than-output",
                new Story("s").pipes().running().wrote(STDERR, 0, 10),
                spawned.end(Ending.exit(0), null, Cause.EXIT, Actor.REAPER, whole(STDOUT, 0), whole(STDERR, 9)));
    }

    private static void output(Map<String, Illegal> all) {
        var hello = new ToolTaskOutputDelta(STDOUT, 0, 6, 6);
        put(all, "output-while-queued", new Story("s").pipes(), hello);
        put(all, "output-while-starting", new Story("s").pipes().phase(Phase.STARTING, Cause.REQUEST, ALICE), hello);
        put(
                all,
                "output-while-policy-asks",
                new Story("s").pipes().then(ToolTaskStatus.awaiting("May it?", Cause.POLICY, Actor.POLICY)),
                hello);
        put(all, "output-after-end", ended(), new ToolTaskOutputDelta(STDOUT, 6, 6, 12));
        put(all, "output-of-no-channel", new Story("s").pipes().running(), new ToolTaskOutputDelta(PTY, 0, 6, 6));
        Story wrote = new Story("s").pipes().running().wrote(STDOUT, 0, 6);
        put(all, "output-gap", wrote, new ToolTaskOutputDelta(STDOUT, 7, 6, 6));
        put(all, "output-overlap", wrote, new ToolTaskOutputDelta(STDOUT, 5, 6, 6));
        put(all, "stored-shrinks", wrote, new ToolTaskOutputDelta(STDOUT, 6, 6, 5));
        put(all, "gap-before-output", new Story("s").pipes().running(), new ToolTaskOutputGap(STDOUT, 0, 1, "full"));
        put(all, "gap-of-no-channel", wrote, new ToolTaskOutputGap(PTY, 0, 6, "full"));
        put(all, "gap-of-stored-bytes", wrote, new ToolTaskOutputGap(STDOUT, 5, 1, "full"));
        put(all, "gap-beyond-output", partlyStored(), new ToolTaskOutputGap(STDOUT, 4, 3, "full"));
        put(
                all,
                "gap-told-twice",
                partlyStored().then(new ToolTaskOutputGap(STDOUT, 4, 2, "full")),
                new ToolTaskOutputGap(STDOUT, 4, 2, "full"));
        put(all, "gap-after-end", ended(), new ToolTaskOutputGap(STDOUT, 6, 1, "full"));
        put(all, "watcher-of-no-channel", wrote, hit(PTY, 0, 3, 2));
        put(all, "watcher-beyond-output", wrote, hit(STDOUT, 4, 3, 2));
        put(all, "watcher-from-later-frame", wrote, hit(STDOUT, 0, 3, 3));
        put(all, "watcher-after-end", ended(), hit(STDOUT, 0, 3, 2));
        put(all, "screen-without-terminal", wrote, new TaskScreenKeyframe("a-screen", 0, 24, 80));
        put(
                all,
                "screen-beyond-output",
                new Story("s").pty().running().wrote(PTY, 0, 6),
                new TaskScreenKeyframe("a-screen", 7, 24, 80));
    }

    private static void control(Map<String, Illegal> all) {
        Story pipes = new Story("s").pipes().running();
        put(all, "stdin-without-terminal", pipes, new ToolTaskStdinWritten(1, "YQ==", ALICE));
        put(all, "stdin-before-start", new Story("s").pty(), new ToolTaskStdinWritten(1, "YQ==", ALICE));
        put(all, "resize-without-terminal", pipes, new ToolTaskResized(24, 80, ALICE));
        put(all, "resize-before-start", new Story("s").pty(), new ToolTaskResized(24, 80, ALICE));
        put(all, "signal-before-start", new Story("s").pipes(), new ToolTaskSignalled("INT", ALICE));
        put(all, "signal-after-end", ended(), new ToolTaskSignalled("INT", ALICE));
        put(all, "in-a-lane-while-running", pipes, new TaskQueued("cli", 1));
        put(all, "artifact-after-end", ended(), new ArtifactWritten("a", "log", 0, "sha256:" + "0".repeat(64), null));
        put(
                all,
                "verdict-after-end",
                ended(),
                new TaskPolicyVerdict("stdin", TaskPolicyVerdict.Verdict.DENY, "r", null, ALICE));
        put(all, "notice-after-end", ended(), new TaskNotice("late", "too late"));
        put(all, "usage-after-end", ended(), new TaskUsage(1, 1, 1));
        put(
                all,
                "usage-beyond-count",
                new Story("s").pipes().running().then(new TaskUsage(1, Limits.WHOLE_NUMBER, 0)),
                new TaskUsage(0, 1, 0));
        put(all, "cleared-while-running", pipes, new TaskCleared(ALICE));
        put(all, "cleared-twice", ended().then(new TaskCleared(ALICE)), new TaskCleared(ALICE));
    }

    private static void stopping(Map<String, Illegal> all) {
        var request = new ToolTaskCancelRequested(null, Cause.REQUEST, ALICE);
        Story stopping = new Story("s").pipes().running().then(request);
        Story stopped = new Story("s").pipes().running().then(request).then(new ToolTaskCancelled(null, 5));
        Story timedOut = new Story("s")
                .pipes()
                .running()
                .then(new ToolTaskCancelRequested(null, Cause.TIMEOUT, Actor.SERVER))
                .then(new ToolTaskCancelled(null, 5));
        put(all, "cancel-requested-twice", stopping, request);
        put(all, "cancel-after-end", ended(), request);
        put(all, "cancelled-without-request", new Story("s").pipes().running(), new ToolTaskCancelled(null, 5));
        put(all, "cancelled-twice", stopped, new ToolTaskCancelled(null, 5));
        put(all, "running-while-stopping", stopping, running(stopping));
        var cancelled = new Ending(Outcome.CANCELLED, 143, 15);
        put(all, "outcome-cancelled-unproven", stopping, end(stopping, cancelled));
        put(all, "outcome-timed-out-unproven", stopping, end(stopping, new Ending(Outcome.TIMED_OUT, 143, 15)));
        put(all, "outcome-not-cancelled", stopped, end(stopped, Ending.exit(0)));
        put(all, "outcome-cancelled-for-timeout", timedOut, end(timedOut, cancelled));
    }

    private static void turns(Map<String, Illegal> all) {
        Story running = new Story("s").pipes().running();
        Story turn = new Story("s").pipes().running().then(turn(1, TaskTurnStarted.Kind.PROMPT));
        put(all, "turn-before-start", new Story("s").pipes(), turn(1, TaskTurnStarted.Kind.PROMPT));
        put(all, "prompt-while-one-runs", turn, turn(2, TaskTurnStarted.Kind.PROMPT));
        put(all, "resume-while-one-runs", turn, turn(2, TaskTurnStarted.Kind.RESUME));
        put(all, "steer-before-start", new Story("s").pipes(), turn(1, TaskTurnStarted.Kind.STEER));
        put(all, "turn-number-gap", running, turn(2, TaskTurnStarted.Kind.PROMPT));
        put(all, "settled-without-turn", running, new TaskTurnSettled(1, "end_turn", null));
        put(all, "settled-other-turn", turn, new TaskTurnSettled(2, "end_turn", null));
        put(
                all,
                "settled-while-asked",
                new Story("s")
                        .pipes()
                        .running()
                        .then(turn(1, TaskTurnStarted.Kind.PROMPT))
                        .then(ToolTaskStatus.awaiting("May it?", Cause.PROGRAM, Actor.PROGRAM)),
                new TaskTurnSettled(1, "end_turn", null));
    }

    private static void runs(Map<String, Illegal> all) {
        var again = new TaskRunStarted(2, TaskRunStarted.Kind.RESUME, ALICE);
        put(all, "run-while-running", new Story("s").pipes().running(), again);
        put(all, "run-number-gap", ended(), new TaskRunStarted(3, TaskRunStarted.Kind.RECOVER, Actor.SERVER));
        Story refused = new Story("s");
        refused.then(refused.end(Ending.failed(), "not allowed", Cause.POLICY, Actor.POLICY));
        put(all, "run-after-refusal", refused, again);
        var asked = new RefusedSpawn("bash", new JsonText("{}"), null, null, ExecutionMode.PIPES, null, null, ALICE);
        put(
                all,
                "refused-after-spawn",
                new Story("s").pipes(),
                ToolTaskStatus.refusal(asked, 1, "not allowed", Cause.POLICY, Actor.POLICY));
        put(all, "run-after-cleared", ended().then(new TaskCleared(ALICE)), again);
    }

    private static void put(Map<String, Illegal> all, String name, Story before, FrameBody illegal) {
        all.put(name, new Illegal(before, before.next(illegal)));
    }

    private static Story partlyStored() {
        return new Story("s").pipes().running().then(new ToolTaskOutputDelta(STDOUT, 0, 6, 4));
    }

    private static Story ended() {
        return new Story("s").pipes().running().wrote(STDOUT, 0, 6).exits(0, whole(STDOUT, 6), whole(STDERR, 0));
    }

    private static ToolTaskStatus end(Story story, Ending ending) {
        return story.end(ending, null, Cause.EXIT, Actor.REAPER);
    }

    private static ToolTaskStatus running(Story story) {
        return ToolTaskStatus.running(story.now());
    }

    private static ToolTaskStatus status(Phase phase) {
        return Story.status(phase, Cause.REQUEST, ALICE);
    }

    private static ToolTaskStatus queued() {
        return status(Phase.QUEUED);
    }

    private static TaskWatcherHit hit(Channel channel, long offset, int bytes, long frameSeq) {
        return new TaskWatcherHit("w-1", "found", channel, offset, bytes, "abc", frameSeq);
    }

    private static TaskTurnStarted turn(int turn, TaskTurnStarted.Kind kind) {
        return new TaskTurnStarted(turn, kind, "go on", null, ALICE);
    }
}
