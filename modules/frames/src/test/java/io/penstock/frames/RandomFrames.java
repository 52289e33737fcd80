package io.penstock.frames;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Generates arbitrary bodies and legal streams from a seed. */
final class RandomFrames {

    private static final String[] PIECES = {
        "a",
        "Z",
        "0",
        " ",
        "\n",
        "\t",
        "\"",
        "\\",
        "/",
        "é",
        "水",
        "👩‍👩‍👧",
        "😀",
        "\u2028",
        "\u2029",
        "\u0000",
        "\u001b[31m",
        "\ud83d",
        "\ude00",
        "\uffff",
        "\ufeff",
        "{",
        "}",
        "null",
        "__proto__",
        "\u007f",
        "\u0085"
    };
    private static final FrameType[] TYPES = FrameType.values();

    private final Random random;

    RandomFrames(long seed) {
        // The first numbers of seeds in a row would be alike.
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** A legal stream: it tries bodies until enough of them were legal. Its tasks end from time to time. */
    List<Frame> stream(int length) {
        StreamId id = StreamId.task("t" + below(1000));
        TaskState state = TaskState.ABSENT;
        var frames = new ArrayList<Frame>();
        for (int tries = 0; frames.size() < length && tries < length * 200; tries++) {
            var frame = new Frame(id, state.nextSeq(), 1000 + tries, likely(state));
            try {
                state = state.after(frame);
                frames.add(frame);
            } catch (Failure illegal) {
                // Try another body.
            }
        }
        return frames;
    }

    /** Any body, but more often one that is legal in this state. */
    FrameBody likely(TaskState state) {
        Channel channel = of(Channel.values());
        return switch (below(18)) {
            case 0 ->
                new ToolTaskOutputDelta(channel, state.output().total(channel), 1 + below(100), stored(state, channel));
            case 1 -> status(of(Phase.RUNNING, Phase.RUNNING, Phase.STARTING, Phase.AWAITING_INPUT), null);
            case 2 -> status(Phase.ENDED, state.run().stopped() ? stopped(state) : agentEnding());
            case 3 -> new TaskTurnStarted(state.turns() + 1, of(TaskTurnStarted.Kind.values()), text(), null, actor());
            case 4 -> new TaskTurnSettled(Math.max(1, state.turns()), "end_turn", textOrNull());
            case 5 -> new TaskRunStarted(state.run().number() + 1, of(TaskRunStarted.Kind.values()), actor());
            case 6 -> new TaskUsage(below(1000), below(1000), below(1000));
            case 7 ->
                new ToolTaskOutputGap(channel, state.output().stored(channel), 1 + below(100), "the disk was full");
            case 8, 9 -> agent(state);
            case 10 -> woke(state);
            default -> task(state);
        };
    }

    /** A frame of an agent's latest turn, or the one that comes before the first. */
    private FrameBody agent(TaskState state) {
        int turn = Math.max(1, state.turns());
        return switch (below(4)) {
            case 0 -> message(turn);
            case 1 -> toolCall(turn);
            case 2 -> plan(turn);
            default -> body(FrameType.TASK_AGENT_OPENED);
        };
    }

    private FrameBody woke(TaskState state) {
        TaskLinks links = state.spec() == null ? null : state.spec().links();
        TaskLinks.Wake wake = links == null ? null : links.wake();
        return new TaskWoke(wake == null ? "t2" : wake.taskId(), textOrNull());
    }

    private TaskAgentMessage message(int turn) {
        return new TaskAgentMessage(turn, of(TaskAgentMessage.Role.values()), textOrNull(), text());
    }

    private TaskAgentToolCall toolCall(int turn) {
        return new TaskAgentToolCall(
                turn,
                name(),
                textOrNull(),
                longTextOrNull(),
                below(3) == 0 ? null : of(TaskAgentToolCall.Status.values()),
                textOrNull(),
                textOrNull(),
                below(2) == 0 ? null : "t" + below(9));
    }

    /** Often longer than what a state shows of it. */
    private @Nullable String longTextOrNull() {
        String text = textOrNull();
        return text == null ? null : text.repeat(below(40));
    }

    private TaskAgentPlan plan(int turn) {
        var entries = new ArrayList<TaskAgentPlan.Entry>();
        for (int i = below(4); i > 0; i--) {
            entries.add(new TaskAgentPlan.Entry(text(), name()));
        }
        return new TaskAgentPlan(turn, entries);
    }

    private long stored(TaskState state, Channel channel) {
        return below(3) == 0 ? state.output().stored(channel) : state.output().total(channel) + 1;
    }

    private static Ending stopped(TaskState state) {
        ToolTaskCancelRequested stop = state.run().stop();
        boolean timeout = stop != null && stop.cause() == Cause.TIMEOUT;
        return new Ending(timeout ? Outcome.TIMED_OUT : Outcome.CANCELLED, 143, 15);
    }

    private FrameBody task(TaskState state) {
        FrameBody body = body(TYPES[below(TYPES.length)]);
        // A task that is cleared early has a short life.
        boolean tooSoon = (body instanceof TaskCleared || body instanceof ToolTaskCancelRequested) && below(4) != 0;
        return body instanceof SessionFrame || tooSoon ? likely(state) : body;
    }

    FrameBody body() {
        return body(TYPES[below(TYPES.length)]);
    }

    FrameBody body(FrameType type) {
        return switch (type) {
            case UNKNOWN -> new UnknownFrame("task_" + of("moved", "héllo", "\ud800"), json());
            case TOOL_TASK_SPAWNED -> spawned();
            case TOOL_TASK_STATUS -> below(2) == 0 ? status(Phase.ENDED, ending()) : status(of(LIVE), null);
            case TOOL_TASK_OUTPUT_DELTA -> delta();
            case TOOL_TASK_STDIN_WRITTEN -> stdin();
            case TOOL_TASK_RESIZED -> new ToolTaskResized(side(), side(), actor());
            case TOOL_TASK_SIGNALLED -> new ToolTaskSignalled(of("INT", "sigterm", "SIGKILL", "Winch"), actor());
            case TOOL_TASK_CANCEL_REQUESTED -> new ToolTaskCancelRequested(textOrNull(), of(Cause.values()), actor());
            case TOOL_TASK_CANCELLED -> new ToolTaskCancelled(textOrNull(), number());
            case ARTIFACT_WRITTEN ->
                new ArtifactWritten(name(), name(), number(), "sha256:" + "0a".repeat(32), textOrNull());
            case TASK_POLICY_VERDICT ->
                new TaskPolicyVerdict(
                        name(),
                        of(TaskPolicyVerdict.Verdict.values()),
                        name(),
                        textOrNull(),
                        actor(),
                        new Budgets(budget(), budget(), budget()),
                        below(2) == 0 ? null : actor());
            case TASK_QUEUED -> new TaskQueued(name(), number());
            case TASK_WATCHER_HIT ->
                new TaskWatcherHit(name(), name(), of(Channel.values()), below(50), below(9), text(), below(5));
            case TASK_TURN_STARTED ->
                new TaskTurnStarted(1 + below(4), of(TaskTurnStarted.Kind.values()), text(), textOrNull(), actor());
            case TASK_TURN_SETTLED -> new TaskTurnSettled(1 + below(4), name(), textOrNull());
            case TASK_USAGE -> new TaskUsage(number(), number(), number());
            case TASK_RUN_STARTED -> new TaskRunStarted(2 + below(3), of(TaskRunStarted.Kind.values()), actor());
            case TASK_SCREEN_KEYFRAME -> new TaskScreenKeyframe(name(), below(50), side(), side());
            case TASK_NOTICE -> new TaskNotice(name(), name());
            case TASK_CLEARED -> new TaskCleared(actor());
            case TASK_PINNED -> new TaskPinned(below(2) == 0, actor());
            case TOOL_STDOUT -> new ToolStdout(StreamId.task("t1"), text(), number());
            case TOOL_STDERR -> new ToolStderr(StreamId.task("t-2"), text(), number());
            case TOOL_ENDED -> toolEnded(ending());
            case TASK_WATCHER_ADDED ->
                new TaskWatcherAdded(
                        name(),
                        name(),
                        name(),
                        below(2) == 0 ? null : of(Channel.values()),
                        below(2) == 0,
                        of(WatchScope.values()),
                        actor());
            case SESSION_STARTED -> new SessionStarted(actor(), progress());
            case SESSION_TASK_STARTED ->
                new SessionTaskStarted(
                        StreamId.task("t4"),
                        name(),
                        textOrNull(),
                        below(2) == 0 ? null : new TaskLabel("label-" + below(9)),
                        progress());
            case SESSION_WATCHER_HIT -> watcherHit(below(50), 1 + below(3));
            case SESSION_ACKNOWLEDGED -> new SessionAcknowledged(number(), actor(), progress());
            case SESSION_ENDED -> new SessionEnded(textOrNull(), actor(), progress());
            case SESSION_WEBHOOK_SET -> new SessionWebhookSet(textOrNull(), textOrNull(), actor(), progress());
            case SESSION_WEBHOOK_DELIVERY ->
                new SessionWebhookDelivery(
                        number(),
                        of(SessionWebhookDelivery.Result.values()),
                        below(9),
                        below(2) == 0 ? null : below(600),
                        textOrNull(),
                        actor(),
                        progress());
            case TASK_AGENT_OPENED ->
                new TaskAgentOpened(name(), below(2) == 0, below(2) == 0, textOrNull(), textOrNull());
            case TASK_AGENT_MESSAGE -> message(1 + below(4));
            case TASK_AGENT_TOOL_CALL -> toolCall(1 + below(4));
            case TASK_AGENT_PLAN -> plan(1 + below(4));
            case TASK_WOKE -> new TaskWoke("t" + below(9), textOrNull());
            case TASK_STDIN_CLOSED -> new TaskStdinClosed(actor());
            case SESSION_TASK_ENDED -> sessionTaskEnded(agentEnding());
            case TASK_RESOURCE_USAGE ->
                new TaskResourceUsage(number(), below(400), number(), number(), number(), below(50));
            case TOOL_TASK_OUTPUT_GAP ->
                new ToolTaskOutputGap(of(Channel.values()), number() / 2, 1 + number() / 2, name());
        };
    }

    private static final Phase[] LIVE = {
        Phase.QUEUED, Phase.STARTING, Phase.RUNNING, Phase.AWAITING_INPUT, Phase.IDLE, Phase.STOPPING
    };

    private ToolTaskSpawned spawned() {
        ExecutionMode mode = of(ExecutionMode.values());
        List<LogRef> logs = mode.channels().stream().map(this::log).toList();
        boolean stdinOpen = mode == ExecutionMode.PIPES && below(3) != 0;
        return new ToolTaskSpawned(
                name(),
                json(),
                textOrNull(),
                textOrNull(),
                mode,
                below(2) == 0 ? null : "session:" + below(9),
                logs,
                below(2) == 0 ? null : number(),
                below(2) == 0 ? null : number(),
                actor(),
                below(2) == 0 ? null : of(Containment.values()),
                below(2) == 0 ? null : new TaskLabel("label-" + below(9)),
                below(2) == 0 ? null : of(RecordInput.values()),
                below(2) == 0 ? null : of(Keep.values()),
                below(2) == 0 ? null : of(OnLost.values()),
                stdinOpen,
                below(2) == 0 ? null : links(),
                stdinOpen && below(2) == 0 ? agent() : null);
    }

    private TaskLinks links() {
        String parent = below(2) == 0 ? null : "t" + below(9);
        return new TaskLinks(
                parent,
                parent == null ? 0 : 1 + below(3),
                below(2) == 0 ? null : name(),
                below(2) == 0,
                below(2) == 0 ? null : new TaskLinks.Wake("t" + below(9), text()));
    }

    private AgentSpec agent() {
        return new AgentSpec(
                name(),
                of(AgentSpec.Protocol.values()),
                below(2) == 0 ? null : name(),
                below(2) == 0 ? null : name(),
                of(AgentSpec.AfterTurn.values()));
    }

    private SessionTaskEnded sessionTaskEnded(Ending ending) {
        return new SessionTaskEnded(
                StreamId.task("t.7"),
                name(),
                1 + below(3),
                ending.outcome(),
                ending.exitCode(),
                number(),
                below(2) == 0 ? null : number(),
                textOrNull(),
                textOrNull(),
                below(2) == 0 ? null : new TaskLabel("label-" + below(9)),
                textOrNull(),
                below(2) == 0,
                progress());
    }

    private Ending agentEnding() {
        return below(4) == 0 ? new Ending(Outcome.SUCCEEDED, null, null) : ending();
    }

    private ToolEnded toolEnded(Ending ending) {
        return new ToolEnded(
                StreamId.task("t.6"),
                ending.outcome(),
                ending.exitCode(),
                number(),
                name(),
                below(2) == 0 ? null : number(),
                status(Phase.ENDED, ending).logs(),
                textOrNull(),
                textOrNull(),
                below(2) == 0 ? null : new TaskLabel("label-" + below(9)),
                progress());
    }

    private SessionProgress progress() {
        int tasks = below(100);
        int items = below(100);
        int dealt = below(items + 1);
        var webhook = new WebhookProgress(below(2) == 0, dealt, number(), below(dealt + 1), number());
        return new SessionProgress(
                tasks, below(tasks + 1), items, below(items + 1), number(), below(2) == 0 ? null : webhook);
    }

    private SessionWatcherHit watcherHit(long seq, long count) {
        long lastSeq = count == 1 ? seq : seq + count + below(9);
        return new SessionWatcherHit(
                StreamId.task("t5"),
                name(),
                name(),
                of(Channel.values()),
                number(),
                text(),
                seq,
                count,
                lastSeq,
                progress());
    }

    private @Nullable Long budget() {
        return below(2) == 0 ? null : Math.max(1, number());
    }

    private ToolTaskStatus status(Phase phase, @Nullable Ending ending) {
        boolean ended = phase == Phase.ENDED;
        String error = !ended ? textOrNull() : "lost: " + text();
        var logs = new ArrayList<LogEnd>();
        for (Channel channel : Channel.values()) {
            if (ended && below(6) == 0) {
                long total = number();
                String digest = below(2) == 0 ? null : "sha256:" + "0123456789abcdef".repeat(4);
                logs.add(new LogEnd(log(channel), total, below(2) == 0 ? total : total / 2, textOrNull(), digest));
            }
        }
        return new ToolTaskStatus(
                phase,
                ending,
                started(phase),
                ended ? number() : null,
                logs,
                error,
                phase == Phase.AWAITING_INPUT ? textOrNull() : null,
                of(Cause.values()),
                actor(),
                ending != null && ending.outcome() == Outcome.FAILED && below(2) == 0 ? refused() : null);
    }

    private RefusedSpawn refused() {
        return new RefusedSpawn(
                name(),
                new JsonText("{}"),
                textOrNull(),
                textOrNull(),
                of(ExecutionMode.values()),
                below(2) == 0 ? null : "session:" + below(9),
                below(2) == 0 ? null : new TaskLabel("label-" + below(9)),
                actor(),
                below(2) == 0 ? null : name());
    }

    private @Nullable Long started(Phase phase) {
        // Few numbers, so that it often equals the previous one.
        return phase == Phase.RUNNING || below(2) == 0 ? Long.valueOf(below(8) == 0 ? number() : 5) : null;
    }

    private Ending ending() {
        return switch (of(Outcome.values())) {
            case SUCCEEDED -> Ending.exit(0);
            case NONZERO -> below(2) == 0 ? Ending.exit(1 + below(255)) : Ending.killedBy(1 + below(64));
            case FAILED -> Ending.failed();
            case CANCELLED -> new Ending(Outcome.CANCELLED, 143, 15);
            case TIMED_OUT -> new Ending(Outcome.TIMED_OUT, null, null);
            case LOST -> Ending.lost();
        };
    }

    private ToolTaskOutputDelta delta() {
        Channel channel = of(Channel.values());
        long offset = below(2) == 0 ? 0 : number() / 2;
        int bytes = 1 + below(Limits.DELTA_BYTES);
        long stored = below(2) == 0 ? offset + bytes : (offset + bytes) / 2;
        LineSpan lines = below(2) == 0 ? null : new LineSpan(1 + number() / 2, 1 + below(bytes));
        var delta = new ToolTaskOutputDelta(channel, offset, bytes, stored, lines);
        return switch (below(3)) {
            case 0 -> delta;
            case 1 -> delta.with(new DeltaText(text(), log(channel)));
            default -> delta.with(new DeltaText("", 0, true, below(2) == 0, log(channel)));
        };
    }

    private ToolTaskStdinWritten stdin() {
        byte[] bytes = new byte[1 + below(below(20) == 0 ? Limits.STDIN_BYTES : 9)];
        random.nextBytes(bytes);
        return new ToolTaskStdinWritten(
                bytes.length, below(3) == 0 ? null : Base64.getEncoder().encodeToString(bytes), actor());
    }

    private LogRef log(Channel channel) {
        return new LogRef(channel, "a-" + below(100), "day/" + name());
    }

    private Actor actor() {
        return below(2) == 0 ? Actor.user("u" + text()) : of(Actor.SERVER, Actor.REAPER, Actor.POLICY, Actor.PROGRAM);
    }

    private int side() {
        return 1 + below(Limits.TERMINAL_CELLS_PER_SIDE);
    }

    long number() {
        return switch (below(6)) {
            case 0 -> 0;
            case 1 -> Limits.WHOLE_NUMBER;
            case 2 -> 127 + below(3);
            default -> random.nextLong(1L << (1 + below(53)));
        };
    }

    String text() {
        var text = new StringBuilder();
        for (int i = below(12); i > 0; i--) {
            text.append(of(PIECES));
        }
        return text.toString();
    }

    private String name() {
        return "n" + text();
    }

    private @Nullable String textOrNull() {
        return below(3) == 0 ? null : text();
    }

    private JsonText json() {
        String[] values = {"1.10", "1e400", "-0", "12345678901234567890", "true", "null", "[[],{}]", "{\"b\":[1,2]}"};
        return new JsonText(
                "{\"x" + below(9) + "\" : " + of(values) + ",\"text\":\"\\ud83d " + below(99) + "\\u0000水\"}");
    }

    byte[] bytes(int most) {
        byte[] bytes = new byte[below(most + 1)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The text with one byte changed, removed or doubled, or cut after it. */
    byte[] damaged(byte[] right) {
        byte[] wrong = right.clone();
        if (wrong.length == 0) {
            return wrong;
        }
        int at = below(wrong.length);
        switch (below(3)) {
            case 0 -> wrong[at] ^= (byte) (1 << below(8));
            case 1 ->
                wrong[at] = of("\"", "{", "}", "[", "-", "9", "e", ",", "\u0000", "ÿ")
                        .getBytes(StandardCharsets.ISO_8859_1)[0];
            default -> wrong = java.util.Arrays.copyOf(wrong, at);
        }
        return wrong;
    }

    @SafeVarargs
    private <T> T of(T... values) {
        return values[below(values.length)];
    }
}
