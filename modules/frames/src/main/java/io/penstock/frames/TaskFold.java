package io.penstock.frames;

import org.jspecify.annotations.Nullable;

/** The state machine of a task: which frame may follow which state, and the resulting state. */
final class TaskFold {

    private TaskFold() {}

    static TaskState apply(TaskState state, Frame frame) {
        if (frame.seq() != state.nextSeq()) {
            throw illegal(frame, state, "the next seq is " + state.nextSeq());
        }
        if (frame.stream().kind() != StreamKind.TASK) {
            throw illegal(frame, state, "the frame belongs to a session");
        }
        return switch (frame.body()) {
            case TaskFrame body -> apply(state, frame, body);
            case UnknownFrame _ -> state.counted();
            case SessionFrame _ -> throw new IllegalStateException("a Frame keeps these to session streams");
        };
    }

    private static TaskState apply(TaskState state, Frame frame, TaskFrame body) {
        boolean firstIsMissing = state.phase() == Phase.ABSENT
                && !(body instanceof ToolTaskSpawned)
                && !(body instanceof ToolTaskStatus);
        if (firstIsMissing) {
            throw illegal(frame, state, "a stream begins with tool_task_spawned, or with the status of a refusal");
        }
        return switch (body) {
            case ToolTaskSpawned spawned -> {
                require(state.phase() == Phase.ABSENT, frame, state, "a task is spawned once");
                yield state.spawned(spawned);
            }
            case ToolTaskStatus status -> status(state, frame, status);
            case ToolTaskOutputDelta delta -> delta(state, frame, delta);
            case ToolTaskOutputGap gap -> gap(state, frame, gap);
            case ToolTaskStdinWritten _ -> {
                requireInput(state, frame);
                yield state.counted();
            }
            case TaskStdinClosed _ -> {
                requireInput(state, frame);
                requirePipes(state, frame);
                yield state.at(state.phase(), state.run().withInputClosed());
            }
            case ToolTaskResized resized -> {
                requireTerminal(state, frame);
                yield state.sized(resized.rows(), resized.cols());
            }
            case ToolTaskSignalled _ -> {
                require(state.mayHaveProgram(), frame, state, "no program runs");
                yield state.counted();
            }
            case ToolTaskCancelRequested request -> {
                require(
                        state.phase() != Phase.STOPPING && state.phase() != Phase.ENDED,
                        frame,
                        state,
                        "a run is stopped only once");
                yield state.at(Phase.STOPPING, state.run().stopping(request));
            }
            case ToolTaskCancelled _ -> {
                require(
                        state.phase() == Phase.STOPPING && !state.run().stopped(),
                        frame,
                        state,
                        "it must follow exactly one tool_task_cancel_requested");
                yield state.at(Phase.STOPPING, state.run().stopCarriedOut());
            }
            case TaskTurnStarted turn -> turnStarted(state, frame, turn);
            case TaskTurnSettled turn -> turnSettled(state, frame, turn);
            case TaskRunStarted started -> {
                boolean lost = started.kind() == TaskRunStarted.Kind.RECOVER && state.phase() != Phase.STOPPING;
                require(
                        state.phase() == Phase.ENDED || lost,
                        frame,
                        state,
                        "a new run begins only after the previous one has ended");
                require(state.spec() != null, frame, state, "the spawn was refused, so there is nothing to run again");
                require(!state.cleared(), frame, state, "the task was cleared");
                int next = state.run().number() + 1;
                if (started.run() != next) {
                    throw illegal(frame, state, "the next run is number " + next);
                }
                yield state.run(next);
            }
            case TaskUsage used -> {
                notAfterTheEnd(state, frame);
                yield used(state, frame, used);
            }
            case TaskResourceUsage _ -> {
                require(state.mayHaveProgram(), frame, state, "no program runs");
                yield state.counted();
            }
            case TaskCleared _ -> {
                require(state.phase() == Phase.ENDED, frame, state, "only a task that has ended is cleared");
                require(!state.cleared(), frame, state, "a task is cleared once");
                yield state.marked(new TaskMarks(true, state.pinned()));
            }
            case TaskPinned pin -> {
                require(
                        pin.pinned() != state.pinned(),
                        frame,
                        state,
                        state.pinned() ? "the task is pinned already" : "the task is not pinned");
                yield state.marked(new TaskMarks(state.cleared(), pin.pinned()));
            }
            case TaskQueued _ -> {
                require(state.phase() == Phase.QUEUED, frame, state, "only a task in phase queued waits in a lane");
                yield state.counted();
            }
            case TaskWatcherAdded _ -> {
                notAfterTheEnd(state, frame);
                yield state.counted();
            }
            case TaskWatcherHit hit -> {
                notAfterTheEnd(state, frame);
                watcherHit(state, frame, hit);
                yield state.counted();
            }
            case TaskScreenKeyframe screen -> {
                notAfterTheEnd(state, frame);
                requireMode(state, frame);
                require(
                        screen.ptyOffset() <= state.output().ptyTotal(),
                        frame,
                        state,
                        "it shows more than the output so far");
                yield state.counted();
            }
            case TaskAgentOpened opened -> {
                require(state.phase() == Phase.RUNNING, frame, state, "no program runs");
                requireAgent(state, frame);
                AgentState agent = state.agent().opened(opened, frame.timestampMs());
                boolean settled = state.runningTurn() == null && waitsForTurns(state);
                yield state.with(
                        settled ? Phase.IDLE : state.phase(),
                        state.conversation().with(agent));
            }
            case TaskAgentMessage message -> {
                requireTurn(state, frame, message.turn());
                yield agent(state, state.agent().said(message, frame.timestampMs()));
            }
            case TaskAgentToolCall call -> {
                requireTurn(state, frame, call.turn());
                yield agent(state, state.agent().used(call, frame.timestampMs()));
            }
            case TaskAgentPlan plan -> {
                requireTurn(state, frame, plan.turn());
                yield agent(state, state.agent().seen(frame.timestampMs()));
            }
            case TaskWoke woke -> {
                TaskLinks links = state.spec() == null ? null : state.spec().links();
                TaskLinks.Wake wake = links == null ? null : links.wake();
                require(
                        wake != null && wake.taskId().equals(woke.wokenTaskId()),
                        frame,
                        state,
                        "the spawn names no such agent to wake");
                require(state.phase() == Phase.ENDED, frame, state, "only the end of a run wakes an agent");
                require(!state.run().woke(), frame, state, "the end of a run wakes an agent once");
                yield state.at(Phase.ENDED, state.run().withWoke());
            }
            case ArtifactWritten _, TaskPolicyVerdict _ -> {
                notAfterTheEnd(state, frame);
                yield state.counted();
            }
            case TaskNotice notice -> {
                if (!notice.code().equals(TaskNotice.RESULT_RETRIEVED)) {
                    notAfterTheEnd(state, frame);
                }
                yield state.counted();
            }
        };
    }

    private static TaskState status(TaskState state, Frame frame, ToolTaskStatus status) {
        Phase from = state.phase();
        require(from.mayBecome(status.phase()), frame, state, "a status cannot lead from this phase to that one");
        boolean backBeforeStart =
                from == Phase.AWAITING_INPUT && (status.phase() == Phase.QUEUED || status.phase() == Phase.STARTING);
        require(
                !backBeforeStart || state.run().startedAtMs() == null,
                frame,
                state,
                "the program of this run has already been started");
        Long started = state.run().startedAtMs();
        Long said = status.startedAtMs();
        if (started != null && said != null && !started.equals(said)) {
            throw illegal(frame, state, "the run started at " + started + ", not at " + said);
        }
        Ending ending = status.ending();
        if (ending != null) {
            require(
                    from != Phase.ABSENT || ending.outcome() == Outcome.FAILED,
                    frame,
                    state,
                    "without a spec the spawn was refused, so the outcome must be failed");
            boolean withoutCode = ending.outcome() == Outcome.SUCCEEDED && ending.exitCode() == null;
            require(
                    !withoutCode || (state.spec() != null && state.spec().agent() != null),
                    frame,
                    state,
                    "only the run of an agent succeeds without an exit code");
            logEnds(state, frame, status);
            Outcome expected = outcomeOfStop(state.run());
            boolean saysStopped = ending.outcome() == Outcome.CANCELLED || ending.outcome() == Outcome.TIMED_OUT;
            if (ending.outcome() != Outcome.LOST && (expected != null || saysStopped)) {
                if (expected == null) {
                    throw illegal(
                            frame,
                            state,
                            "tool_task_cancelled is missing, which records that the stop was carried out");
                }
                if (ending.outcome() != expected) {
                    throw illegal(
                            frame, state, "tool_task_cancelled was recorded, so the outcome is " + expected.wireName());
                }
            }
        }
        RunState run = state.run().after(status);
        RefusedSpawn refused = status.refused();
        require(refused == null || from == Phase.ABSENT, frame, state, "the spawn was accepted, not refused");
        return refused == null ? state.at(status.phase(), run) : state.refused(refused, run);
    }

    private static void logEnds(TaskState state, Frame frame, ToolTaskStatus status) {
        ToolTaskSpawned spec = state.spec();
        for (LogEnd end : status.logs()) {
            Channel channel = end.log().channel();
            if (spec == null || !spec.logs().contains(end.log())) {
                throw illegal(frame, state, "the log of " + channel.wireName() + " is not in the spec");
            }
            if (end.bytesTotal() < state.output().total(channel)) {
                throw illegal(
                        frame,
                        state,
                        channel.wireName() + " had " + state.output().total(channel) + " bytes, not only "
                                + end.bytesTotal());
            }
        }
    }

    private static @Nullable Outcome outcomeOfStop(RunState run) {
        ToolTaskCancelRequested stop = run.stop();
        if (stop == null || !run.stopped()) {
            return null;
        }
        return stop.cause() == Cause.TIMEOUT ? Outcome.TIMED_OUT : Outcome.CANCELLED;
    }

    private static TaskState delta(TaskState state, Frame frame, ToolTaskOutputDelta delta) {
        require(state.mayHaveProgram(), frame, state, "no program runs");
        requireChannel(state, frame, delta.channel());
        long total = state.output().total(delta.channel());
        if (delta.offset() != total) {
            throw illegal(
                    frame,
                    state,
                    delta.channel().wireName() + " continues at offset " + total + ", not at " + delta.offset());
        }
        require(
                delta.bytesStored() >= state.output().stored(delta.channel()),
                frame,
                state,
                "the stored length never shrinks");
        return state.wrote(state.output().after(delta));
    }

    private static TaskState gap(TaskState state, Frame frame, ToolTaskOutputGap gap) {
        notAfterTheEnd(state, frame);
        requireChannel(state, frame, gap.channel());
        long stored = state.output().stored(gap.channel());
        if (gap.offset() != stored) {
            throw illegal(
                    frame,
                    state,
                    gap.channel().wireName() + " is stored up to offset " + stored + ", not up to " + gap.offset());
        }
        long total = state.output().total(gap.channel());
        if (gap.end() > total) {
            throw illegal(
                    frame,
                    state,
                    "the gap ends beyond the " + total + " bytes of "
                            + gap.channel().wireName());
        }
        return state.wrote(state.output().after(gap));
    }

    private static TaskState turnStarted(TaskState state, Frame frame, TaskTurnStarted turn) {
        boolean steers = turn.kind() == TaskTurnStarted.Kind.STEER || turn.kind() == TaskTurnStarted.Kind.FOLLOW_UP;
        boolean takesIt = state.phase() == Phase.IDLE
                || (state.phase() == Phase.RUNNING && (steers || state.runningTurn() == null));
        if (!takesIt) {
            throw illegal(
                    frame,
                    state,
                    "an agent takes a " + turn.kind().wireName()
                            + (steers ? " while it is idle or running" : " while no turn is running"));
        }
        if (turn.turn() != state.turns() + 1) {
            throw illegal(frame, state, "the next turn is number " + (state.turns() + 1));
        }
        return state.with(Phase.RUNNING, state.conversation().began(turn, frame.timestampMs()));
    }

    private static TaskState turnSettled(TaskState state, Frame frame, TaskTurnSettled settled) {
        require(state.runningTurn() != null, frame, state, "no turn is running");
        require(
                state.phase() != Phase.AWAITING_INPUT,
                frame,
                state,
                "the question is still open: a status must close it first");
        if (settled.turn() != state.turns()) {
            throw illegal(frame, state, "the running turn is number " + state.turns());
        }
        Phase phase = state.phase() == Phase.STOPPING ? Phase.STOPPING : Phase.IDLE;
        return state.with(phase, state.conversation().settled(settled, frame.timestampMs()));
    }

    private static TaskState agent(TaskState state, AgentState changed) {
        return state.with(state.phase(), state.conversation().with(changed));
    }

    private static void requireTerminal(TaskState state, Frame frame) {
        require(state.mayHaveProgram(), frame, state, "no program runs");
        requireMode(state, frame);
    }

    private static void requireInput(TaskState state, Frame frame) {
        require(state.mayHaveProgram(), frame, state, "no program runs");
        ToolTaskSpawned spec = state.spec();
        require(
                spec != null && (spec.executionMode() == ExecutionMode.PTY || spec.stdinOpen()),
                frame,
                state,
                "the task has no input");
        require(!state.run().inputClosed(), frame, state, "the input was closed");
    }

    private static void requirePipes(TaskState state, Frame frame) {
        ToolTaskSpawned spec = state.spec();
        require(
                spec != null && spec.executionMode() == ExecutionMode.PIPES,
                frame,
                state,
                "a terminal's input is not closed");
    }

    private static void requireAgent(TaskState state, Frame frame) {
        ToolTaskSpawned spec = state.spec();
        require(spec != null && spec.agent() != null, frame, state, "the task has no agent");
    }

    /** Whether the program has settled as soon as its conversation is open: its first turn may be long in coming. */
    private static boolean waitsForTurns(TaskState state) {
        ToolTaskSpawned spec = state.spec();
        return spec != null && spec.agent() != null && spec.agent().afterTurn() == AgentSpec.AfterTurn.STAY;
    }

    private static void requireTurn(TaskState state, Frame frame, int turn) {
        requireAgent(state, frame);
        require(state.mayHaveProgram(), frame, state, "no program runs");
        require(turn == state.turns(), frame, state, "the latest turn is number " + state.turns());
    }

    private static void requireMode(TaskState state, Frame frame) {
        ToolTaskSpawned spec = state.spec();
        require(
                spec != null && spec.executionMode() == ExecutionMode.PTY,
                frame,
                state,
                "only a task in mode pty has a terminal");
    }

    private static void requireChannel(TaskState state, Frame frame, Channel channel) {
        ToolTaskSpawned spec = state.spec();
        if (spec == null || !spec.executionMode().channels().contains(channel)) {
            throw illegal(frame, state, "the task has no channel " + channel.wireName());
        }
    }

    private static void watcherHit(TaskState state, Frame frame, TaskWatcherHit hit) {
        requireChannel(state, frame, hit.channel());
        long total = state.output().total(hit.channel());
        if (hit.offset() + hit.bytes() > total) {
            throw illegal(
                    frame,
                    state,
                    "it matched beyond the " + total + " bytes of "
                            + hit.channel().wireName());
        }
        require(hit.frameSeq() < frame.seq(), frame, state, "frame_seq must name an earlier frame");
    }

    private static TaskState used(TaskState state, Frame frame, TaskUsage more) {
        TaskUsage sum = state.usage();
        long input = sum.inputTokens() + more.inputTokens();
        long output = sum.outputTokens() + more.outputTokens();
        long cost = sum.costMicroUsd() + more.costMicroUsd();
        boolean counts = Math.max(input, Math.max(output, cost)) <= Limits.WHOLE_NUMBER;
        require(counts, frame, state, "the total usage exceeds the largest number that a frame can have");
        return state.with(state.phase(), state.conversation().with(new TaskUsage(input, output, cost)));
    }

    private static void notAfterTheEnd(TaskState state, Frame frame) {
        require(state.phase() != Phase.ENDED, frame, state, "the run has ended");
    }

    private static void require(boolean holds, Frame frame, TaskState state, String why) {
        if (!holds) {
            throw illegal(frame, state, why);
        }
    }

    private static Failure illegal(Frame frame, TaskState state, String why) {
        String what = frame.body() instanceof ToolTaskStatus status
                ? frame.typeName() + " (" + status.phase().wireName() + ")"
                : frame.typeName();
        return new Failure(
                FailureCode.ILLEGAL_FRAME,
                "Frame " + frame.seq() + " of " + frame.stream() + ", " + what + ", cannot follow in phase "
                        + state.phase().wireName() + ": " + why);
    }
}
