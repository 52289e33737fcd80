package io.penstock.engine.pump;

import io.penstock.engine.address.Address;
import io.penstock.engine.artifact.ArtifactRequest;
import io.penstock.engine.artifact.RecordedBytes;
import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.launch.TaskRequest;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.FrameRange;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StateReader;
import io.penstock.engine.log.StatusFilter;
import io.penstock.engine.log.TaskCounts;
import io.penstock.engine.log.TaskIndex;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRow;
import io.penstock.engine.task.TaskServices;
import io.penstock.engine.task.record.TaskOver;
import io.penstock.engine.view.DeltaBytes;
import io.penstock.engine.view.DeltaReader;
import io.penstock.engine.view.EncodedTails;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.engine.view.JsonFrames;
import io.penstock.engine.view.OutputReads;
import io.penstock.engine.view.OutputSlice;
import io.penstock.engine.view.OutputTail;
import io.penstock.engine.view.Snippet;
import io.penstock.engine.view.TailStart;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.Frame;
import io.penstock.frames.LogRef;
import io.penstock.frames.Outcome;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskCleared;
import io.penstock.frames.TaskLinks;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskSpawned;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one door to tasks: every edge is a thin layer over it. May be called from any thread. */
public final class TaskApi {

    private static final Logger log = LoggerFactory.getLogger(TaskApi.class);

    private final Vertx vertx;
    private final TaskServices services;
    private final TaskIndex index;
    private final Shards shards;
    private final Address<ArtifactRequest<?>> artifacts;
    private final OutputReads outputs;
    private final EncodedTails tails = new EncodedTails();
    private final EndedStateCache ended;
    private final Descendants descendants;
    private final PinnedOutputs pins;

    TaskApi(Vertx vertx, TaskServices services, TaskIndex index, EndedStateCache ended, Shards shards) {
        this.vertx = vertx;
        this.services = services;
        this.index = index;
        this.ended = ended;
        this.shards = shards;
        this.artifacts = services.addresses().artifacts();
        this.outputs = new OutputReads(artifacts, this::state);
        this.descendants = new Descendants(shards, this::state, this::spec);
        this.pins = new PinnedOutputs(vertx, services.artifacts().pinned(), this::state);
    }

    /** Spawns a task; completes with its id when its first frames are accepted. Its program is started afterwards. */
    public Future<String> spawn(TaskRequest request) {
        String taskId = UUID.randomUUID().toString();
        Future<String> spawned =
                shards.request(taskId, new ShardRequest.Spawn(taskId, request)).map(first -> taskId);
        TaskLinks links = request.links();
        String parent = links == null ? null : links.parentTaskId();
        return parent == null ? spawned : spawned.compose(child -> cancelIfStopped(child, parent, request.actor()));
    }

    /** Cancels a child whose parent, or a task above it, was stopped while the child was being recorded: the stop did not find it. */
    private Future<String> cancelIfStopped(String taskId, String parent, Actor actor) {
        return descendants
                .stoppedAbove(parent)
                .compose(stopped -> stopped == null
                        ? Future.succeededFuture()
                        : carryOut(new TaskCommand.Cancel(taskId, becauseOf(stopped), actor)))
                .onFailure(
                        e -> log.warn("The task {} may run on below one that was stopped: {}", taskId, e.getMessage()))
                .transform(checked -> Future.succeededFuture(taskId));
    }

    private static String becauseOf(String stopped) {
        return "the task " + stopped + ", which is above it, was stopped";
    }

    /** The task's state: the fold of its frames. */
    public Future<TaskState> state(String taskId) {
        StreamId stream = stream(taskId);
        return known(taskId)
                .compose(known -> known == null
                        ? ended.of(taskId, () -> fold(stream, Long.MAX_VALUE))
                        : Future.succeededFuture(known));
    }

    /** The state of a task that lives or has ended lately; null if it must be read from the log. */
    private Future<@Nullable TaskState> known(String taskId) {
        TaskState over = ended.find(taskId);
        return over != null
                ? Future.succeededFuture(over)
                : shards.request(taskId, new ShardRequest.State(taskId))
                        // An undeployed shard has no living tasks.
                        .recover(e -> e instanceof TaskOver ? Future.succeededFuture() : Future.failedFuture(e));
    }

    /**
     * Completes when everything is done that follows from the end of the task's last run: its place among running or queued tasks is
     * free, its session knows, and its file is removed. At once if it runs.
     */
    public Future<?> settled(String taskId) {
        return shards.<@Nullable Void>request(taskId, new ShardRequest.Settled(taskId));
    }

    /**
     * The task's state right after one of its frames. Whether that frame exists is checked first: otherwise everything that the task
     * writes meanwhile would be read.
     */
    public Future<TaskState> stateAt(String taskId, long seq) {
        StreamId stream = stream(taskId);
        return forTask(stream, services.log().nextSeq(stream)).compose(nextSeq -> {
            if (seq >= nextSeq) {
                throw new Failure(
                        FailureCode.INVALID_REQUEST,
                        "The task " + taskId + " has no frame " + seq + "; its last is " + (nextSeq - 1));
            }
            return fold(stream, seq + 1);
        });
    }

    /** The fold of the frames below {@code endSeq}, or of all if there are fewer. */
    private Future<TaskState> fold(StreamId stream, long endSeq) {
        return forTask(stream, StateReader.of(services.log(), stream, endSeq));
    }

    /** Waits until the task's state meets the condition, for at most {@code waitMs}. */
    public StateWait awaitState(String taskId, Predicate<TaskState> enough, long waitMs) {
        return new StateWait(vertx, enough).start(state(taskId), this, taskId, waitMs);
    }

    /** The matching tasks, newest first, including those of earlier servers; living tasks in their current state. */
    public Future<TaskPage> list(TaskQuery query) {
        return index.list(query)
                .compose(found -> {
                    List<Future<TaskView>> views =
                            found.rows().stream().map(this::view).toList();
                    return Future.all(views)
                            .map(all -> new TaskPage(
                                    all.<TaskView>list().stream()
                                            .filter(view -> stillMatches(view, query))
                                            .toList(),
                                    found.next(),
                                    false));
                })
                .recover(e -> isAway(e) && query.mayBeLiving() ? living(query) : Future.failedFuture(e));
    }

    /** How many of the newest tasks that match the query are in which state, whatever its status. */
    public Future<TaskCounts> count(TaskQuery query) {
        return index.count(query);
    }

    /**
     * The end of the task's newest output, or of stderr if it has failed, which says why: at most so many bytes of text. Empty if there is
     * none.
     */
    public Future<String> tail(TaskView task, int maxBytes) {
        Ending ending = task.ending();
        Channel told = ending != null && ending.outcome() == Outcome.NONZERO ? Channel.STDERR : null;
        return OutputTail.read(
                services.log(), artifacts, stream(task.taskId()), task.nextSeq(), task.logs(), told, maxBytes);
    }

    private static boolean isAway(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.DATABASE_UNAVAILABLE;
    }

    /** The newest living tasks, for which no database is needed. */
    private Future<TaskPage> living(TaskQuery query) {
        return shards.requestAll(new ShardRequest.Living())
                .map(all -> new TaskPage(
                        all.stream()
                                .flatMap(List::stream)
                                .filter(task -> query.matches(task.row()))
                                .sorted(Comparator.comparingLong(LiveTask::createdAtNanos)
                                        .reversed())
                                .limit(query.limit())
                                .map(task -> TaskView.of(task.taskId(), task.state()))
                                .toList(),
                        null,
                        true));
    }

    /** The row of an ended task is complete and final; the state of other tasks is newer than their rows. */
    private Future<TaskView> view(TaskRow row) {
        ToolTaskStatus end = row.toldEnd();
        // Between the two reads of the database, an agent that had ended may have got another run.
        return end == null || end.ending() == null
                ? state(row.taskId()).map(state -> TaskView.of(row.taskId(), state))
                : Future.succeededFuture(TaskView.of(row, end));
    }

    private static boolean stillMatches(TaskView view, TaskQuery query) {
        StatusFilter standing = query.standing();
        Ending ending = view.ending();
        return standing == null || standing.includes(view.phase(), ending == null ? null : ending.outcome());
    }

    /** Follows the task's frames from {@code fromSeq}, without the text of its output. */
    public FrameFollower follow(String taskId, long fromSeq) {
        return services.log().follow(stream(taskId), fromSeq);
    }

    /** The task's frames from {@code fromSeq} on, as many as there are, at most {@code maxFrames}; without the text of its output. */
    public Future<Page> frames(String taskId, long fromSeq, int maxFrames) {
        StreamId stream = stream(taskId);
        return forTask(stream, services.log().read(stream, fromSeq, maxFrames));
    }

    /** The task's frames from {@code fromSeq} to before {@code belowSeq}, all that there are: a short range. */
    public Future<List<Frame>> range(String taskId, long fromSeq, long belowSeq) {
        StreamId stream = stream(taskId);
        return forTask(stream, FrameRange.read(services.log(), stream, fromSeq, belowSeq));
    }

    /** Text of an output from about {@code offset}: whole characters only. */
    public Future<OutputSlice> output(String taskId, Channel channel, long offset, int maxBytes) {
        return state(taskId).compose(state -> output(taskId, state, channel, offset, maxBytes));
    }

    /** The same for a known state of the task. */
    public Future<OutputSlice> output(String taskId, TaskState state, Channel channel, long offset, int maxBytes) {
        return outputs.text(taskId, state, channel, offset, maxBytes);
    }

    /** The bytes of an output that are recorded now. */
    public Future<RecordedBytes> bytes(String taskId, Channel channel) {
        return outputs.bytes(taskId, channel);
    }

    /** Forgets the state of an ended task: it has got another frame. */
    void forgetEnded(String taskId) {
        ended.remove(taskId);
    }

    /** Forgets the states of ended tasks: some of them were removed. */
    public void forgetEnded() {
        ended.clear();
    }

    /** Deletes an output of an ended task to free the disk; its frames stay. */
    public Future<Void> deleteOutput(String taskId, Channel channel, Actor actor) {
        var deletion = new Deletion(Instant.ofEpochMilli(services.clockMs().getAsLong()), actor.toString());
        return outputs.delete(taskId, channel, deletion)
                .onSuccess(deleted ->
                        log.info("The output {} of the task {} was deleted by {}", channel.wireName(), taskId, actor));
    }

    /** Clears an ended task from its owner's lists ({@code task_cleared}); its frames stay until retention. */
    public Future<Void> clear(String taskId, Actor actor) {
        return state(taskId)
                .compose(known -> settled(taskId).map(known))
                .compose(known -> new EndedTaskWriter(services, taskId)
                        .append(
                                state -> state.cleared() ? null : new TaskCleared(actor),
                                new Failure(
                                        FailureCode.TASK_NOT_READY,
                                        "The task " + taskId + " is "
                                                + known.phase().wireName() + "; only one that has ended is cleared"))
                        .onSuccess(cleared -> forgetEnded(taskId))
                        .mapEmpty());
    }

    /** Clears an ended task, and deletes its outputs, unless it is pinned. */
    public Future<Void> remove(String taskId, Actor actor) {
        return state(taskId)
                .compose(state -> {
                    if (state.pinned()) {
                        throw new Failure(
                                FailureCode.TASK_NOT_READY, "The task " + taskId + " is pinned; unpin it first");
                    }
                    return clear(taskId, actor).map(state);
                })
                .compose(state -> {
                    ToolTaskSpawned spec = state.spec();
                    List<LogRef> outputs = spec == null ? List.of() : spec.logs();
                    return Future.all(outputs.stream()
                            .map(output -> deleteOutput(taskId, output.channel(), actor))
                            .toList());
                })
                .mapEmpty();
    }

    /** The bytes of an artifact, found by its id or digest, that its task has recorded now. */
    public Future<RecordedBytes> artifact(String artifactId) {
        return outputs.artifact(artifactId);
    }

    /** Stores bytes that belong to no task, under an id made of their digest. */
    public Future<Sealed> storeArtifact(byte[] bytes) {
        return artifacts.request(new ArtifactRequest.Store(bytes));
    }

    /**
     * Reads the text of output for followers of tasks.
     *
     * @param live whether to include output that is not stored, while it is in memory
     */
    public DeltaReader deltaReader(InlineText inline, boolean live) {
        return new DeltaReader(services.artifacts(), inline, live);
    }

    /** Encodes a task's frames for one follower; closed with it. */
    public JsonFrames jsonFrames(FollowRange following, InlineText inline) {
        return new JsonFrames(tails, deltaReader(inline, following.isLive()), following, inline);
    }

    /** Reads the bytes of output for followers of the task. */
    public DeltaBytes deltaBytes(FollowRange following) {
        return new DeltaBytes(services.artifacts(), following.isLive());
    }

    /** The seq from which the task's newest frames contain this many bytes of output. */
    public Future<Long> lastBytes(String taskId, TaskState known, long bytes) {
        return TailStart.from(services.log(), stream(taskId), known.nextSeq(), bytes);
    }

    /**
     * The newest output of a task, at most {@link io.penstock.frames.Limits#SNIPPET_CHARS} characters.
     *
     * @param endSeq the first frame whose output does not belong to it
     * @return null if the task was refused, or its output was removed
     */
    public Future<@Nullable String> snippet(String taskId, long endSeq) {
        return spec(taskId).compose(spec -> spec == null ? Future.succeededFuture() : snippet(taskId, spec, endSeq));
    }

    /** Null if the spawn was refused. */
    private Future<@Nullable ToolTaskSpawned> spec(String taskId) {
        return known(taskId)
                .compose(known ->
                        known == null ? frames(taskId, 0, 1).map(TaskApi::spec) : Future.succeededFuture(known.spec()));
    }

    private static @Nullable ToolTaskSpawned spec(Page first) {
        return !first.frames().isEmpty() && first.frames().getFirst().body() instanceof ToolTaskSpawned spec
                ? spec
                : null;
    }

    /** The same for a task whose first frame is known. */
    public Future<@Nullable String> snippet(String taskId, ToolTaskSpawned spec, long endSeq) {
        return Snippet.read(vertx, services.log(), services.artifacts(), stream(taskId), spec, endSeq);
    }

    /** Carries out a command; completes with the seq of the frame that records it, or with null if none does. */
    public Future<@Nullable Long> apply(TaskCommand command) {
        return command instanceof TaskCommand.Pin pin ? pins.change(pin, () -> carryOut(pin)) : carryOut(command);
    }

    private Future<@Nullable Long> carryOut(TaskCommand command) {
        return command instanceof TaskCommand.Cancel cancel
                ? cancelOne(cancel)
                        .compose(seq ->
                                cancelBelow(cancel.taskId(), cancel.actor()).map(seq))
                : send(command);
    }

    private Future<@Nullable Long> send(TaskCommand command) {
        return shards.request(command.taskId(), new ShardRequest.Command(command))
                .recover(e -> notReady(e)
                        ? state(command.taskId())
                                .compose(known -> Future.failedFuture(explained((Failure) e, command.taskId(), known)))
                        : Future.failedFuture(e));
    }

    private Future<@Nullable Long> cancelOne(TaskCommand.Cancel cancel) {
        return unlessEnded(cancel.taskId(), send(cancel));
    }

    /** Cancels what a task has started, and what that has started; never fails. */
    Future<?> cancelBelow(String taskId, Actor actor) {
        return descendants
                .living(taskId)
                .compose(living -> Future.join(living.stream()
                        .map(child -> cancelOne(new TaskCommand.Cancel(child, becauseOf(taskId), actor))
                                .onFailure(e -> log.warn(
                                        "The task {} is not cancelled with {}: {}", child, taskId, e.getMessage())))
                        .toList()))
                .otherwiseEmpty();
    }

    /** The verdicts of policy on the task from this frame on, as many as one request may search. */
    public Future<FoundFrames> verdicts(String taskId, long fromSeq) {
        StreamId stream = stream(taskId);
        return forTask(
                stream, FrameSearch.forVerdicts(services.log(), stream, fromSeq).run());
    }

    /** The watchers that were added to the task from this frame on, as many as one request may search. */
    public Future<FoundFrames> watchers(String taskId, long fromSeq) {
        StreamId stream = stream(taskId);
        return forTask(
                stream, FrameSearch.forWatchers(services.log(), stream, fromSeq).run());
    }

    /** The hits of the task's watchers from this frame on, as many as one request may search. */
    public Future<FoundFrames> hits(String taskId, long fromSeq) {
        StreamId stream = stream(taskId);
        return forTask(
                stream, FrameSearch.forHits(services.log(), stream, fromSeq).run());
    }

    /** What the task's processes used, from this frame on, as much as one request may search. */
    public Future<FoundFrames> usage(String taskId, long fromSeq) {
        StreamId stream = stream(taskId);
        return forTask(
                stream, FrameSearch.forUsage(services.log(), stream, fromSeq).run());
    }

    /** Cancelling an ended task is no failure. */
    private Future<@Nullable Long> unlessEnded(String taskId, Future<@Nullable Long> cancelled) {
        return cancelled.recover(e -> notReady(e)
                ? state(taskId)
                        .compose(state ->
                                state.run().ending() == null ? Future.failedFuture(e) : Future.succeededFuture())
                : Future.failedFuture(e));
    }

    private static boolean notReady(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.TASK_NOT_READY;
    }

    /** A task that is on no shard and has not ended was left by a dead server; its end is about to be recorded. */
    private static Failure explained(Failure failure, String taskId, TaskState known) {
        return failure instanceof TaskOver late
                        && late.isOnNoShard()
                        && known.run().ending() == null
                ? new TaskOver("The task " + taskId + " was left by a server that died, and is being ended;"
                        + " nothing can be done with it")
                : failure;
    }

    private static StreamId stream(String taskId) {
        try {
            return StreamId.task(taskId);
        } catch (IllegalArgumentException e) {
            throw new Failure(FailureCode.TASK_NOT_FOUND, "There is no task " + taskId, e);
        }
    }

    private static <T> Future<T> forTask(StreamId stream, Future<T> read) {
        return read.recover(e -> Future.failedFuture(
                e instanceof Failure failure && failure.code() == FailureCode.STREAM_NOT_FOUND
                        ? new Failure(FailureCode.TASK_NOT_FOUND, "There is no task " + stream.id(), e)
                        : e));
    }
}
