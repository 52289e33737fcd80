package io.penstock.frames;

import static io.penstock.frames.Channel.PTY;
import static io.penstock.frames.Channel.STDERR;
import static io.penstock.frames.Channel.STDOUT;
import static io.penstock.frames.Story.ALICE;
import static io.penstock.frames.Story.log;
import static io.penstock.frames.Story.whole;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Realistic streams, by the names of their golden files. */
final class GoldenStreams {

    private static final Cause REQUEST = Cause.REQUEST;
    private static final String DIGEST = "sha256:" + "0123456789abcdef".repeat(4);

    private static final RefusedSpawn CLEAN_UP = new RefusedSpawn(
            "bash",
            new JsonText("{\"command\":\"rm -rf build\",\"env\":[\"TOKEN\"]}"),
            "api",
            "clean up",
            ExecutionMode.PTY,
            "cli",
            new TaskLabel("clean-up"),
            ALICE);

    private static final AgentSpec CODER =
            new AgentSpec("coder", AgentSpec.Protocol.ACP, "large", "high", AgentSpec.AfterTurn.END);

    private GoldenStreams() {}

    static Map<String, Story> all() {
        var stories = new LinkedHashMap<String, Story>();
        stories.put("exit-0", exit0(new Story("exit-0")));
        stories.put("exit-n", exitN(new Story("exit-n")));
        stories.put("signal", signal(new Story("signal")));
        stories.put("cancel", cancel(new Story("cancel")));
        stories.put("cancel-while-queued", cancelWhileQueued(new Story("cancel-while-queued")));
        stories.put("exit-overtakes-cancel", exitOvertakesCancel(new Story("exit-overtakes-cancel")));
        stories.put("timeout", timeout(new Story("timeout")));
        stories.put("lost", lost(new Story("lost")));
        stories.put("refused-spawn", refusedSpawn(new Story("refused-spawn")));
        stories.put("denied-spawn", deniedSpawn(new Story("denied-spawn")));
        stories.put("denied-by-rule", deniedByRule(new Story("denied-by-rule")));
        stories.put("exec-error", execError(new Story("exec-error")));
        stories.put("truncated-output", truncatedOutput(new Story("truncated-output")));
        stories.put("output-gap", outputGap(new Story("output-gap")));
        stories.put("pty-control", ptyControl(new Story("pty-control")));
        stories.put("input-awaited", inputAwaited(new Story("input-awaited")));
        stories.put("resume", resume(new Story("resume")));
        stories.put("recover-and-clear", recoverAndClear(new Story("recover-and-clear")));
        stories.put("requeued", requeued(new Story("requeued")));
        stories.put("pinned", pinned(new Story("pinned")));
        stories.put("watcher-hit", watcherHit(new Story("watcher-hit")));
        stories.put("policy-ask", policyAsk(new Story("policy-ask")));
        stories.put("policy-deny", policyDeny(new Story("policy-deny")));
        stories.put("policy-control", policyControl(new Story("policy-control")));
        stories.put("output-budget", outputBudget(new Story("output-budget")));
        stories.put("time-budget", timeBudget(new Story("time-budget")));
        stories.put("labelled", labelled(new Story("labelled")));
        stories.put("labelled-only", labelledOnly(new Story("labelled-only")));
        stories.put("keeps-tail", keepsTail(new Story("keeps-tail")));
        stories.put("input-not-recorded", inputNotRecorded(new Story("input-not-recorded")));
        stories.put("permission-in-turn", permissionInTurn(new Story("permission-in-turn")));
        stories.put("unknown-types", unknownTypes(new Story("unknown-types")));
        stories.put("texts", texts(new Story("texts")));
        stories.put("agent", agent(new Story("agent")));
        stories.put("agent-stays", agentStays(new Story("agent-stays")));
        stories.put("agent-breaks-off", agentBreaksOff(new Story("agent-breaks-off")));
        stories.put("wakes", wakes(new Story("wakes")));
        stories.put("stdin-open", stdinOpen(new Story("stdin-open")));
        stories.put("resource-usage", resourceUsage(new Story("resource-usage")));
        return stories;
    }

    /** The streams of sessions, which have no state. */
    static Map<String, Story> sessions() {
        var stories = new TreeMap<String, Story>();
        stories.put("session", session());
        stories.put("mailbox", mailbox());
        stories.put("webhook", webhook());
        stories.put("agents", agents());
        return stories;
    }

    private static Story session() {
        StreamId task = StreamId.task("exit-n");
        return new Story(StreamId.session("cli"))
                .then(new ToolStdout(task, "compiling\n", 2))
                .then(new ToolStderr(task, "error: no such file\n", 3))
                .then(new ToolEnded(task, Outcome.NONZERO, 2, 4))
                .then(new UnknownFrame("session_renamed", new JsonText("{\"name\":\"other\"}")));
    }

    /** A session whose task matches a watcher and ends; its items are acknowledged. */
    private static Story mailbox() {
        StreamId task = StreamId.task("watcher-hit");
        var label = new TaskLabel("build");
        SessionProgress none = SessionProgress.NONE;
        SessionProgress started = none.withTaskStarted();
        SessionProgress hit = started.withItem();
        SessionProgress ended = hit.withTaskEnded();
        SessionProgress read = ended.withAcknowledged(2, 3);
        return new Story(StreamId.session("mailbox"))
                .then(new SessionStarted(Actor.user("alice"), none))
                .then(new SessionTaskStarted(task, "shell", "a build", label, started))
                .then(new SessionWatcherHit(task, "w1", "error", STDERR, 20, "error: no such file", 5, hit))
                .then(new ToolEnded(
                        task,
                        Outcome.NONZERO,
                        2,
                        7,
                        "shell",
                        1_250L,
                        List.of(whole(STDOUT, 10).with(DIGEST), whole(STDERR, 20)),
                        null,
                        "a build",
                        label,
                        ended))
                .then(new SessionAcknowledged(3, Actor.user("alice"), read))
                .then(new SessionEnded("done for today", Actor.user("alice"), read));
    }

    /** A session whose items go to a webhook, among them one for several matches; one cannot be delivered, and is sent again. */
    private static Story webhook() {
        StreamId task = StreamId.task("watcher-hit");
        Actor alice = Actor.user("alice");
        SessionProgress none = SessionProgress.NONE;
        SessionProgress set = none.with(WebhookProgress.started(none));
        SessionProgress hit = set.withItem();
        SessionProgress ended = hit.withTaskEnded();
        WebhookProgress behind = Objects.requireNonNull(ended.webhook());
        WebhookProgress dead = behind.withDead(2, 4);
        return new Story(StreamId.session("webhook"))
                .then(new SessionStarted(alice, none))
                .then(new SessionWebhookSet("https://hooks.example.com:443", "our-hooks", alice, set))
                .then(new SessionWatcherHit(task, "w1", "error", STDERR, 20, "error: no such file", 5, 12, 40, hit))
                .then(new ToolEnded(
                        task, Outcome.SUCCEEDED, 0, 42, "shell", 1_250L, List.of(), null, null, null, ended))
                .then(new SessionWebhookDelivery(
                        2,
                        SessionWebhookDelivery.Result.DEAD,
                        1,
                        410,
                        "the receiver is gone (410)",
                        Actor.SERVER,
                        ended.with(dead)))
                .then(new SessionWebhookDelivery(
                        3,
                        SessionWebhookDelivery.Result.DELIVERED,
                        2,
                        204,
                        null,
                        Actor.SERVER,
                        ended.with(dead.withDelivered(3))))
                .then(new SessionWebhookDelivery(
                        2,
                        SessionWebhookDelivery.Result.AGAIN,
                        0,
                        null,
                        null,
                        alice,
                        ended.with(dead.withDelivered(3))))
                .then(new SessionWebhookDelivery(
                        2,
                        SessionWebhookDelivery.Result.DELIVERED,
                        1,
                        200,
                        null,
                        Actor.SERVER,
                        ended.with(dead.withDelivered(3).withDelivered(2))))
                .then(new SessionWebhookSet(
                        null,
                        null,
                        alice,
                        ended.with(dead.withDelivered(3).withDelivered(2).removed())));
    }

    /** A session with two agents, of which only the first notifies of its end. */
    private static Story agents() {
        StreamId one = StreamId.task("agent");
        StreamId two = StreamId.task("agent-breaks-off");
        var label = new TaskLabel("tests");
        SessionProgress both = SessionProgress.NONE.withTaskStarted().withTaskStarted();
        SessionProgress ended = both.withTaskEnded();
        SessionProgress quiet = ended.withTaskEndedQuietly();
        return new Story(StreamId.session("agents"))
                .then(new SessionStarted(ALICE, SessionProgress.NONE))
                .then(new SessionTaskStarted(
                        one, "task_spawn", "write the tests", label, SessionProgress.NONE.withTaskStarted()))
                .then(new SessionTaskStarted(two, "task_spawn", null, null, both))
                .then(new SessionTaskEnded(
                        one,
                        "task_spawn",
                        1,
                        Outcome.SUCCEEDED,
                        null,
                        19,
                        154_000L,
                        null,
                        "write the tests",
                        label,
                        "12 tests written",
                        true,
                        ended))
                .then(new SessionTaskEnded(
                        two,
                        "task_spawn",
                        1,
                        Outcome.FAILED,
                        1,
                        5,
                        300L,
                        "the agent ended during its turn",
                        null,
                        null,
                        null,
                        false,
                        quiet))
                .then(new SessionAcknowledged(3, ALICE, quiet.withAcknowledged(1, 3)));
    }

    /** An agent that is steered, asks for permission, settles, and is resumed. */
    private static Story agent(Story story) {
        TaskAgentToolCall.Status begins = TaskAgentToolCall.Status.PENDING;
        story.agent(CODER, new TaskLinks(null, 0, "nightly", true, null))
                .running()
                .then(new TaskAgentOpened("c-1", false, true, "codex-acp", "0.16.0"))
                .then(new TaskTurnStarted(1, TaskTurnStarted.Kind.PROMPT, "write the tests", "p-1", ALICE))
                .then(new TaskAgentPlan(
                        1,
                        List.of(
                                new TaskAgentPlan.Entry("read the code", "in_progress"),
                                new TaskAgentPlan.Entry("write the tests", "pending"))))
                .then(new TaskAgentMessage(1, TaskAgentMessage.Role.THOUGHT, "m-1", "The api has no tests yet."))
                .then(new TaskAgentMessage(1, TaskAgentMessage.Role.ASSISTANT, "m-2", "I read "))
                .then(new TaskAgentMessage(1, TaskAgentMessage.Role.ASSISTANT, "m-2", "the code first."))
                .then(new TaskAgentToolCall(
                        1, "t-1", "read", "Read src/api.rs", begins, "{\"path\":\"src/api.rs\"}", null, null))
                .then(new TaskAgentToolCall(
                        1, "t-1", null, null, TaskAgentToolCall.Status.COMPLETED, null, "pub fn list() {}\n", null))
                .then(new TaskTurnStarted(2, TaskTurnStarted.Kind.STEER, "in Rust", null, ALICE))
                .then(new TaskAgentToolCall(2, "t-2", "bash", null, begins, "{\"command\":\"cargo test\"}", null, null))
                .then(new TaskPolicyVerdict(
                        "agent_tool", TaskPolicyVerdict.Verdict.ASK, "agents-ask", null, Actor.PROGRAM))
                .then(ToolTaskStatus.awaiting("May it run cargo test?", Cause.POLICY, Actor.POLICY))
                .then(new TaskPolicyVerdict(
                        "agent_tool",
                        TaskPolicyVerdict.Verdict.ALLOW,
                        "agents-ask",
                        null,
                        Actor.PROGRAM,
                        Budgets.NONE,
                        ALICE))
                .running()
                .then(new TaskAgentToolCall(
                        2, "t-2", null, null, TaskAgentToolCall.Status.RUNNING, null, null, "agent-shell"))
                .then(new TaskUsage(12_000, 800, 41_000))
                .then(new TaskTurnSettled(2, "end_turn", "12 tests written"));
        story.then(settled(story))
                .then(new TaskRunStarted(2, TaskRunStarted.Kind.RESUME, Actor.SERVER))
                .then(new TaskQueued("agents", 0))
                .phase(Phase.STARTING, Cause.QUOTA, Actor.SERVER)
                .running()
                .then(new TaskAgentOpened("c-1", true, true, "codex-acp", "0.16.0"))
                .then(new TaskTurnStarted(
                        3, TaskTurnStarted.Kind.RESUME, "The build has ended: go on.", null, Actor.SERVER))
                .then(new TaskAgentMessage(3, TaskAgentMessage.Role.ASSISTANT, "m-3", "All tests pass."))
                .then(new TaskTurnSettled(3, "end_turn", "All tests pass."));
        return story.then(settled(story));
    }

    /** The server ends the program of an agent that has settled, so no exit code counts. */
    private static ToolTaskStatus settled(Story story) {
        return story.end(
                new Ending(Outcome.SUCCEEDED, null, null),
                null,
                Cause.EXIT,
                Actor.SERVER,
                whole(STDOUT, 0),
                whole(STDERR, 0));
    }

    /** An agent that another task asked for, that waits between its turns, and is stopped with its parent. */
    private static Story agentStays(Story story) {
        var stays = new AgentSpec("pi", AgentSpec.Protocol.PI, null, null, AgentSpec.AfterTurn.STAY);
        story.agent(stays, new TaskLinks("agent", 1, null, false, null))
                .running()
                .then(new TaskAgentOpened("/home/alice/.pi/sessions/1.jsonl", false, false, null, null))
                .said(STDERR, 0, "no update was found\n")
                .then(new TaskTurnStarted(1, TaskTurnStarted.Kind.PROMPT, "count to a million", null, ALICE));
        for (int i = 1; i <= 6; i++) {
            story.then(new TaskAgentToolCall(
                    1, "t-" + i, "count-" + i, null, TaskAgentToolCall.Status.PENDING, null, null, null));
        }
        story.then(new TaskTurnSettled(1, "aborted", null))
                .then(new TaskTurnStarted(2, TaskTurnStarted.Kind.FOLLOW_UP, "to ten", null, ALICE))
                .then(new TaskAgentMessage(2, TaskAgentMessage.Role.ASSISTANT, null, "1 👩‍👩‍👧 ".repeat(40)))
                .then(new TaskAgentToolCall(
                        2,
                        "t-7",
                        null,
                        "Counts " + "👩".repeat(120),
                        TaskAgentToolCall.Status.PENDING,
                        null,
                        null,
                        null))
                .then(new TaskTurnSettled(2, "stop", "1 to 10"))
                .then(new ToolTaskCancelRequested(null, Cause.PARENT, Actor.SERVER))
                .then(new TaskStdinClosed(Actor.SERVER))
                .then(new ToolTaskCancelled(null, 40));
        return story.then(story.end(
                new Ending(Outcome.CANCELLED, 0, null),
                null,
                Cause.PARENT,
                Actor.REAPER,
                whole(STDOUT, 0),
                whole(STDERR, 20)));
    }

    private static Story agentBreaksOff(Story story) {
        story.agent(CODER, null)
                .running()
                .then(new TaskAgentOpened("c-2", false, true, null, null))
                .then(new TaskTurnStarted(1, TaskTurnStarted.Kind.PROMPT, "write the docs", null, ALICE))
                .then(new TaskAgentMessage(1, TaskAgentMessage.Role.ASSISTANT, null, "I will"));
        return story.then(story.end(
                new Ending(Outcome.FAILED, 1, null),
                "the agent ended during its turn",
                Cause.EXIT,
                Actor.REAPER,
                whole(STDOUT, 0),
                whole(STDERR, 0)));
    }

    /** A task whose end wakes an agent; after its second run, that fails. */
    private static Story wakes(Story story) {
        var wake = new TaskLinks.Wake("agent", "The build has ended: go on.");
        return story.linked(new TaskLinks("agent", 1, null, true, wake))
                .running()
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0))
                .then(new TaskWoke("agent", null))
                .then(new TaskRunStarted(2, TaskRunStarted.Kind.REQUEUE, ALICE))
                .running()
                .exits(1, whole(STDOUT, 0), whole(STDERR, 0))
                .then(new TaskWoke("agent", "the agent was cleared"));
    }

    private static Story stdinOpen(Story story) {
        return story.withInput()
                .running()
                .then(new ToolTaskStdinWritten(6, "aGVsbG8K", ALICE))
                .said(STDOUT, 0, "hello\n")
                .then(new TaskStdinClosed(ALICE))
                .exits(0, whole(STDOUT, 6), whole(STDERR, 0));
    }

    /** A build with several processes: what they use is recorded when it has changed. */
    private static Story resourceUsage(Story story) {
        return story.pipes()
                .running()
                .then(new TaskResourceUsage(1_930, 96, 2_004, 41_943_040, 41_943_040, 3))
                .said(STDOUT, 0, "compiling\n")
                .then(new TaskResourceUsage(9_480, 377, 2_001, 734_003_200, 801_112_064, 12))
                .then(new TaskResourceUsage(9_510, 1, 2_002, 12_582_912, 801_112_064, 1))
                .exits(0, whole(STDOUT, 10), whole(STDERR, 0));
    }

    private static Story exit0(Story story) {
        return story.pipes()
                .then(new TaskQueued("cli", 2))
                .phase(Phase.STARTING, Cause.QUOTA, Actor.SERVER)
                .running()
                .said(STDOUT, 0, "hello\n")
                .said(STDERR, 0, "a warning\n")
                .wrote(STDOUT, 6, 65_536)
                .then(new ArtifactWritten("a-stdout", "log", 65_542, DIGEST, "hello\n"))
                .exits(0, whole(STDOUT, 65_542).with(DIGEST), whole(STDERR, 10).with(DIGEST));
    }

    private static Story exitN(Story story) {
        return story.pipes()
                .running()
                .said(STDOUT, 0, "compiling\n")
                .said(STDERR, 0, "error: no such file\n")
                .exits(2, whole(STDOUT, 10), whole(STDERR, 20));
    }

    private static Story signal(Story story) {
        story.pipes().running();
        return story.then(
                story.end(Ending.killedBy(11), null, Cause.SIGNAL, Actor.REAPER, whole(STDOUT, 0), whole(STDERR, 0)));
    }

    private static Story cancel(Story story) {
        story.pipes()
                .running()
                .said(STDOUT, 0, "working\n")
                .then(new ToolTaskCancelRequested("not needed any more", REQUEST, ALICE))
                .said(STDOUT, 8, "cleaning up\n")
                .then(new ToolTaskCancelled("not needed any more", 180));
        return story.then(story.end(
                new Ending(Outcome.CANCELLED, 143, 15),
                null,
                REQUEST,
                Actor.REAPER,
                whole(STDOUT, 20),
                whole(STDERR, 0)));
    }

    private static Story cancelWhileQueued(Story story) {
        story.pipes()
                .then(new TaskQueued("cli", 4))
                .then(new ToolTaskCancelRequested(null, Cause.PARENT, Actor.SERVER))
                .then(new ToolTaskCancelled(null, 0));
        return story.then(new ToolTaskStatus(
                Phase.ENDED,
                new Ending(Outcome.CANCELLED, null, null),
                null,
                story.now(),
                java.util.List.of(),
                null,
                null,
                Cause.PARENT,
                Actor.SERVER));
    }

    private static Story exitOvertakesCancel(Story story) {
        return story.pipes()
                .running()
                .then(new ToolTaskCancelRequested("too slow", REQUEST, ALICE))
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0));
    }

    private static Story timeout(Story story) {
        story.pipes()
                .running()
                .then(new ToolTaskCancelRequested("timeout", Cause.TIMEOUT, Actor.SERVER))
                .then(new TaskNotice("kill_escalated", "still there 5 s after TERM: sent KILL"))
                .then(new ToolTaskCancelled("timeout", 60_000));
        return story.then(story.end(
                new Ending(Outcome.TIMED_OUT, 137, 9),
                "timeout after 60 s",
                Cause.TIMEOUT,
                Actor.REAPER,
                whole(STDOUT, 0),
                whole(STDERR, 0)));
    }

    private static Story lost(Story story) {
        story.pipes().running().said(STDOUT, 0, "step 1\n");
        return story.then(story.end(
                Ending.lost(), "lost: the server died while it ran", Cause.RECOVERY, Actor.SERVER, whole(STDOUT, 9)));
    }

    private static Story refusedSpawn(Story story) {
        return story.then(new ToolTaskStatus(
                Phase.ENDED,
                Ending.failed(),
                null,
                story.now(),
                java.util.List.of(),
                "execution_mode pty is not allowed by the rule safe-profile",
                null,
                Cause.POLICY,
                Actor.POLICY));
    }

    /** As it was recorded before the rule was. A spawn that exceeds a quota is still recorded without a rule. */
    private static Story deniedSpawn(Story story) {
        return denied(story, CLEAN_UP);
    }

    private static Story deniedByRule(Story story) {
        return denied(story, CLEAN_UP.deniedBy("keep-the-disk"));
    }

    private static Story denied(Story story, RefusedSpawn asked) {
        return story.then(ToolTaskStatus.refusal(
                asked,
                story.now(),
                "The rule \"keep-the-disk\" denies spawn: nothing is removed",
                Cause.POLICY,
                Actor.POLICY));
    }

    private static Story execError(Story story) {
        story.pipes().phase(Phase.STARTING, REQUEST, Actor.SERVER);
        return story.then(new ToolTaskStatus(
                Phase.ENDED,
                Ending.failed(),
                null,
                story.now(),
                java.util.List.of(whole(STDOUT, 0), whole(STDERR, 0)),
                "cannot execute ./run: permission denied",
                null,
                Cause.EXEC_ERROR,
                Actor.SERVER));
    }

    private static Story outputGap(Story story) {
        String reason = "No space left on device";
        return story.pipes()
                .running()
                .wrote(STDOUT, 0, 60_000)
                .then(new ToolTaskOutputDelta(STDOUT, 60_000, 10_000, 61_440, new LineSpan(1, 200)))
                .then(new TaskNotice(
                        "output_not_stored",
                        "stdout is not stored from byte 61440 on: " + reason
                                + "; it is stored again when there is room"))
                .then(new ToolTaskOutputDelta(STDOUT, 70_000, 5_000, 61_440, new LineSpan(200, 2)))
                .then(new ToolTaskOutputGap(STDOUT, 61_440, 13_560, reason))
                .then(new ToolTaskOutputDelta(STDOUT, 75_000, 100, 75_100, new LineSpan(201, 1)))
                .then(new ToolTaskOutputDelta(STDERR, 0, 100, 0, new LineSpan(1, 1)))
                .then(new ToolTaskOutputGap(STDERR, 0, 100, reason))
                .exits(
                        0,
                        new LogEnd(log(STDOUT), 75_100, 75_100, "13560 bytes are missing: " + reason, DIGEST),
                        new LogEnd(log(STDERR), 100, 0, "Storing stopped after 0 bytes: " + reason));
    }

    private static Story truncatedOutput(Story story) {
        return story.pipes()
                .running()
                .wrote(STDOUT, 0, 60_000)
                .then(new ToolTaskOutputDelta(STDOUT, 60_000, 10_000, 65_536))
                .then(new TaskNotice(
                        "output_capped",
                        "The cap of 65536 bytes of stdout is reached; what follows is counted but not stored"))
                .then(new ToolTaskOutputDelta(STDOUT, 70_000, 5_000, 65_536, new LineSpan(4, 2))
                        .with(new DeltaText("", 0, true, false, log(STDOUT))))
                .then(new ToolTaskOutputDelta(STDERR, 0, 100, 0, new LineSpan(1, 1))
                        .with(new DeltaText("", 0, true, true, log(STDERR))))
                .exits(
                        0,
                        new LogEnd(log(STDOUT), 75_000, 65_536, null),
                        new LogEnd(log(STDERR), 100, 0, "no space left on device"));
    }

    private static Story ptyControl(Story story) {
        return story.pty()
                .running()
                .said(PTY, 0, "\u001b[1m$\u001b[0m ")
                .then(new ToolTaskResized(40, 120, ALICE))
                .then(new ToolTaskStdinWritten(5, "c3Vkbwo=", ALICE))
                .said(PTY, 10, "sudo\r\nPassword: ")
                .then(new ToolTaskStdinWritten(9, null, Actor.user("bob")))
                .then(new TaskScreenKeyframe("a-screen-1", 26, 40, 120))
                .then(new ToolTaskSignalled("SIGINT", ALICE))
                .then(new ToolTaskSignalled("winch", Actor.PROGRAM))
                .said(PTY, 26, "^C\r\n")
                .exits(130, whole(PTY, 30));
    }

    private static Story inputAwaited(Story story) {
        long started = story.pty().now();
        return story.running()
                .said(PTY, 0, "Password: ")
                .then(ToolTaskStatus.awaitingInput(started))
                .then(new ToolTaskStdinWritten(7, null, ALICE))
                .then(ToolTaskStatus.runningAgain(started, REQUEST))
                .said(PTY, 10, "\r\nmore? ")
                .then(ToolTaskStatus.awaitingInput(started))
                .then(new ToolTaskResized(40, 100, ALICE))
                .then(ToolTaskStatus.runningAgain(started, Cause.PROGRAM))
                .then(ToolTaskStatus.awaitingInput(started))
                .exits(0, whole(PTY, 18));
    }

    private static Story resume(Story story) {
        story.pipes()
                .running()
                .then(new TaskTurnStarted(1, TaskTurnStarted.Kind.PROMPT, "write the tests", "p-1", ALICE))
                .then(new TaskUsage(1_200, 340, 5_100))
                .then(new TaskTurnStarted(2, TaskTurnStarted.Kind.STEER, "in Java", null, ALICE))
                .then(new TaskTurnSettled(2, "end_turn", "12 tests written"))
                .then(new TaskTurnStarted(3, TaskTurnStarted.Kind.FOLLOW_UP, "run them", "p-2", ALICE))
                .then(new TaskTurnSettled(3, "end_turn", null))
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0))
                .then(new TaskRunStarted(2, TaskRunStarted.Kind.RESUME, ALICE))
                .running()
                .then(new TaskTurnStarted(4, TaskTurnStarted.Kind.RESUME, "two more", "p-3", ALICE))
                .then(new TaskUsage(300, 60, 900))
                .then(new TaskTurnSettled(4, "end_turn", "14 tests written"))
                .then(new ToolTaskCancelRequested(null, REQUEST, ALICE))
                .then(new ToolTaskCancelled(null, 900));
        return story.then(story.end(new Ending(Outcome.CANCELLED, 0, null), null, REQUEST, Actor.REAPER));
    }

    private static Story recoverAndClear(Story story) {
        story.pipes().running().said(STDOUT, 0, "step 1\n");
        story.then(story.end(
                Ending.lost(), "lost: the server died while it ran", Cause.RECOVERY, Actor.SERVER, whole(STDOUT, 7)));
        return story.then(new TaskRunStarted(2, TaskRunStarted.Kind.REQUEUE, Actor.SERVER))
                .then(new TaskQueued("cli", 0))
                .running()
                .said(STDOUT, 7, "step 1\nstep 2\n")
                .exits(0, whole(STDOUT, 21), whole(STDERR, 0))
                .then(new TaskCleared(ALICE));
    }

    /** The server died during the first run, and again before the second was recorded as started. */
    private static Story requeued(Story story) {
        var again = new TaskPolicyVerdict(
                "spawn", TaskPolicyVerdict.Verdict.ALLOW, "profile local", "the profile allows it", ALICE);
        return story.spawned(ExecutionMode.PIPES, null, null, null, null, OnLost.REQUEUE)
                .running()
                .said(STDOUT, 0, "step 1\n")
                .then(new TaskRunStarted(2, TaskRunStarted.Kind.RECOVER, Actor.SERVER))
                .then(again)
                .then(new TaskQueued("cli", 0))
                .phase(Phase.STARTING, Cause.QUOTA, Actor.SERVER)
                .then(new TaskRunStarted(3, TaskRunStarted.Kind.RECOVER, Actor.SERVER))
                .then(again)
                .then(new TaskQueued("cli", 0))
                .running()
                .said(STDOUT, 7, "step 1\nstep 2\n")
                .exits(0, whole(STDOUT, 21), whole(STDERR, 0));
    }

    private static Story pinned(Story story) {
        return story.pipes()
                .then(new TaskPinned(true, ALICE))
                .running()
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0))
                .then(new TaskPinned(false, ALICE))
                .then(new TaskPinned(true, ALICE));
    }

    private static Story watcherHit(Story story) {
        return story.pipes()
                .running()
                .then(new TaskWatcherAdded(
                        "w-1", "BUILD \\w+", "build-failed", null, false, WatchScope.LINE, Actor.user("alice")))
                .said(STDOUT, 0, "BUILD ")
                .said(STDOUT, 6, "FAILED in 3 s\n")
                .then(new TaskWatcherHit("w-1", "build-failed", STDOUT, 0, 12, "BUILD FAILED", 4))
                .exits(1, whole(STDOUT, 20), whole(STDERR, 0));
    }

    private static Story policyAsk(Story story) {
        return story.pipes()
                .then(new TaskPolicyVerdict(
                        "spawn", TaskPolicyVerdict.Verdict.ASK, "network-tools", "curl was asked for", ALICE))
                .then(ToolTaskStatus.awaiting("May it run curl?", Cause.POLICY, Actor.POLICY))
                .then(new TaskPolicyVerdict(
                        "spawn",
                        TaskPolicyVerdict.Verdict.ALLOW,
                        "network-tools",
                        "it is our own server",
                        ALICE,
                        new Budgets(60_000L, null, null),
                        Actor.user("bob")))
                .phase(Phase.QUEUED, REQUEST, Actor.user("bob"))
                .then(new TaskQueued("cli", 0))
                .phase(Phase.STARTING, Cause.QUOTA, Actor.SERVER)
                .running()
                .then(ToolTaskStatus.awaiting("Overwrite? [y/N]", Cause.PROGRAM, Actor.PROGRAM))
                .said(STDOUT, 0, "Overwrite? [y/N] ")
                .running()
                .exits(0, whole(STDOUT, 17), whole(STDERR, 0));
    }

    private static Story policyDeny(Story story) {
        story.pipes()
                .then(new TaskPolicyVerdict("spawn", TaskPolicyVerdict.Verdict.ASK, "network-tools", null, ALICE))
                .then(ToolTaskStatus.awaiting("May it run curl?", Cause.POLICY, Actor.POLICY))
                .then(new TaskPolicyVerdict(
                        "spawn",
                        TaskPolicyVerdict.Verdict.DENY,
                        "network-tools",
                        "not from here",
                        ALICE,
                        Budgets.NONE,
                        Actor.user("bob")));
        return story.then(new ToolTaskStatus(
                Phase.ENDED,
                Ending.failed(),
                null,
                story.now(),
                java.util.List.of(),
                "denied by user:bob: not from here",
                null,
                Cause.POLICY,
                Actor.user("bob")));
    }

    private static Story policyControl(Story story) {
        return story.contained(ExecutionMode.PTY, Containment.SESSION)
                .then(new TaskPolicyVerdict("spawn", TaskPolicyVerdict.Verdict.ALLOW, "shells", null, ALICE))
                .running()
                .then(new TaskPolicyVerdict("stdin", TaskPolicyVerdict.Verdict.ALLOW, "typing", null, ALICE))
                .then(new ToolTaskStdinWritten(5, "c3Vkbwo=", ALICE))
                .then(new ToolTaskStdinWritten(1, "aQ==", ALICE))
                .then(new TaskPolicyVerdict(
                        "signal",
                        TaskPolicyVerdict.Verdict.DENY,
                        "no-strangers",
                        "it is not theirs",
                        Actor.user("bob")))
                .exits(0, whole(PTY, 0));
    }

    private static Story outputBudget(Story story) {
        var budgets = new Budgets(null, 10L, 1_000L);
        String reason = "the budget of 10 bytes of output is used up, which came with the rule \"build-tools\"";
        story.contained(ExecutionMode.PIPES, Containment.CGROUP)
                .then(new TaskPolicyVerdict(
                        "spawn", TaskPolicyVerdict.Verdict.ALLOW, "build-tools", "make is known", ALICE, budgets))
                .running()
                .said(STDOUT, 0, "too much\n")
                .said(STDERR, 0, "of it\n")
                .then(new ToolTaskCancelRequested(reason, Cause.BUDGET, Actor.SERVER))
                .then(new ToolTaskCancelled(reason, 12));
        return story.then(story.end(
                new Ending(Outcome.CANCELLED, 143, 15),
                null,
                Cause.BUDGET,
                Actor.REAPER,
                whole(STDOUT, 9),
                whole(STDERR, 6)));
    }

    private static Story timeBudget(Story story) {
        var budgets = new Budgets(60_000L, null, null);
        story.contained(ExecutionMode.PTY, Containment.DESCENDANTS)
                .then(new TaskPolicyVerdict("spawn", TaskPolicyVerdict.Verdict.ALLOW, "short", null, ALICE, budgets))
                .running()
                .then(new TaskNotice(
                        "time_budget",
                        "Stopped, for the budget of 60000 ms is used up, which came with the rule \"short\""))
                .then(new ToolTaskCancelRequested("timeout", Cause.TIMEOUT, Actor.SERVER))
                .then(new ToolTaskCancelled("timeout", 60_000));
        return story.then(
                story.end(new Ending(Outcome.TIMED_OUT, 143, 15), null, Cause.TIMEOUT, Actor.REAPER, whole(PTY, 0)));
    }

    private static Story labelled(Story story) {
        return story.spawned(ExecutionMode.PTY, Containment.ADOPTION, new TaskLabel("code-review-pr-42"), null)
                .running()
                .exits(0, whole(PTY, 0));
    }

    /** The fields before the label in the stored form are absent. */
    private static Story labelledOnly(Story story) {
        return story.spawned(ExecutionMode.PIPES, null, new TaskLabel("efta-research"), null)
                .running()
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0));
    }

    private static Story keepsTail(Story story) {
        return story.spawned(ExecutionMode.PTY, null, null, RecordInput.DEFAULT, Keep.TAIL, null)
                .running()
                .exits(0, whole(PTY, 0));
    }

    private static Story inputNotRecorded(Story story) {
        return story.spawned(ExecutionMode.PTY, null, null, RecordInput.NONE)
                .running()
                .then(new ToolTaskStdinWritten(6, null, ALICE))
                .exits(0, whole(PTY, 0));
    }

    private static Story permissionInTurn(Story story) {
        return story.pipes()
                .running()
                .then(new TaskTurnStarted(1, TaskTurnStarted.Kind.RESUME, "go on", null, ALICE))
                .then(new TaskPolicyVerdict("fs/write", TaskPolicyVerdict.Verdict.ALLOW, "workspace", null, ALICE))
                .then(ToolTaskStatus.awaiting("May it delete build/?", Cause.PROGRAM, Actor.PROGRAM))
                .running()
                .then(new TaskTurnSettled(1, "end_turn", "done"))
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0));
    }

    private static Story unknownTypes(Story story) {
        return story.then(new UnknownFrame("task_reserved", JsonText.EMPTY))
                .pipes()
                .then(new UnknownFrame(
                        "task_moved",
                        new JsonText("{\"to\":{\"node\":7},\"load\":[0.10,1E+400,12345678901234567890],\"why\":null}")))
                .running()
                .exits(0, whole(STDOUT, 0), whole(STDERR, 0))
                .then(new UnknownFrame("task_archived", new JsonText("{\"at\":\"cold storage\"}")));
    }

    private static Story texts(Story story) {
        return story.pipes()
                .running()
                .said(STDOUT, 0, "naïve 水 👩‍👩‍👧 \u2028 \u0000 \u001b[31m \"quoted\" \\ / \ufffd\n")
                .then(new TaskNotice("half", "half a pair \ud83d becomes a sign of its own"))
                .exits(0, whole(STDOUT, 64), whole(STDERR, 0));
    }
}
