package io.penstock.engine.pump;

import io.penstock.engine.artifact.Sealed;
import io.penstock.engine.artifact.file.Deletion;
import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.Page;
import io.penstock.engine.log.StatusFilter;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRow;
import io.penstock.engine.task.TaskOver;
import io.penstock.engine.view.DeltaBytes;
import io.penstock.engine.view.DeltaReader;
import io.penstock.engine.view.EncodedTails;
import io.penstock.engine.view.FollowRange;
import io.penstock.engine.view.InlineText;
import io.penstock.engine.view.JsonFrames;
import io.penstock.engine.view.OutputReads;
import io.penstock.engine.view.OutputSlice;
import io.penstock.engine.view.RecordedBytes;
import io.penstock.engine.view.TailStart;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.Ending;
import io.penstock.frames.Failure;
import io.penstock.frames.FailureCode;
import io.penstock.frames.StreamId;
import io.penstock.frames.TaskState;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one door to tasks: every edge is a skin over this. May be called from any thread. */
public final class TaskApi {

    private static final Logger log = LoggerFactory.getLogger(TaskApi.class);

    private final Vertx vertx;
    private final ShardServices parts;
    private final Shards shards;
    private final OutputReads outputs;
    private final EncodedTails tails = new EncodedTails();
    private final EndedStateCache ended;

    public TaskApi(Vertx vertx, ShardServices parts, Shards shards) {
        this.vertx = vertx;
        this.parts = parts;
        this.ended = parts.ended();
        this.shards = shards;
        this.outputs = new OutputReads(vertx, parts.artifacts(), this::state);
    }

    /** Begins a task; completes with its id when its first frame is accepted, while its program is being started. */
    public Future<String> spawn(TaskRequest request) {
        String taskId = UUID.randomUUID().toString();
        return shards.request(taskId, new ShardRequest.Spawn(taskId, request)).map(first -> taskId);
    }

    /** The task's state: the fold of its frames. */
    public Future<TaskState> state(String taskId) {
        TaskState over = ended.find(taskId);
        if (over != null) {
            return Future.succeededFuture(over);
        }
        StreamId stream = stream(taskId);
        return shards.<@Nullable TaskState>request(taskId, new ShardRequest.State(taskId))
                // A shard that is gone has no living task.
                .recover(e -> e instanceof TaskOver ? Future.succeededFuture() : Future.failedFuture(e))
                .compose(living -> living == null
                        ? ended.of(taskId, () -> fold(stream, Long.MAX_VALUE))
                        : Future.succeededFuture(living));
    }

    /**
     * The task's state as it was right after one of its frames. Whether there is one is asked first: all that a task writes meanwhile
     * would be read.
     */
    public Future<TaskState> stateAt(String taskId, long seq) {
        StreamId stream = stream(taskId);
        return forTask(stream, parts.log().nextSeq(stream)).compose(nextSeq -> {
            if (seq >= nextSeq) {
                throw new Failure(
                        FailureCode.INVALID_REQUEST,
                        "The task " + taskId + " has no frame " + seq + "; its last is " + (nextSeq - 1));
            }
            return fold(stream, seq + 1);
        });
    }

    /** The fold of the frames below {@code endSeq}, or of as many as there are. */
    private Future<TaskState> fold(StreamId stream, long endSeq) {
        return forTask(stream, StateReader.of(parts.log(), stream, endSeq));
    }

    /** Those that are asked for, newest first, also of earlier servers: as they are now, where they live. */
    public Future<TaskPage> list(TaskQuery query) {
        return parts.index()
                .list(query)
                .compose(found -> {
                    List<Future<TaskView>> views =
                            found.rows().stream().map(this::view).toList();
                    return Future.all(views)
                            .map(all -> new TaskPage(
                                    all.<TaskView>list().stream()
                                            .filter(view -> stillIsAskedFor(view, query))
                                            .toList(),
                                    found.next(),
                                    false));
                })
                .recover(e -> isAway(e) && query.mayBeLiving() ? living(query) : Future.failedFuture(e));
    }

    private static boolean isAway(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.DATABASE_UNAVAILABLE;
    }

    /** The newest of those that live, which need no database. */
    private Future<TaskPage> living(TaskQuery query) {
        return shards.<List<LiveTask>>requestAll(new ShardRequest.Living())
                .map(all -> new TaskPage(
                        all.stream()
                                .flatMap(List::stream)
                                .filter(task -> query.matches(task.row()))
                                .sorted(Comparator.comparingLong(LiveTask::begunAtNanos)
                                        .reversed())
                                .limit(query.limit())
                                .map(task -> TaskView.of(task.taskId(), task.state()))
                                .toList(),
                        null,
                        true));
    }

    /** An ended task does not change, and its row says all of it; of others their state is newer than any row. */
    private Future<TaskView> view(TaskRow row) {
        ToolTaskStatus end = row.toldEnd();
        return end == null
                ? state(row.taskId()).map(state -> TaskView.of(row.taskId(), state))
                : Future.succeededFuture(TaskView.of(row, end));
    }

    private static boolean stillIsAskedFor(TaskView view, TaskQuery query) {
        StatusFilter standing = query.standing();
        Ending ending = view.ending();
        return standing == null || standing.includes(view.phase(), ending == null ? null : ending.outcome());
    }

    /** The task's frames from {@code fromSeq} on, then those to come; without the text of its output. */
    public FrameFollower follow(String taskId, long fromSeq) {
        return parts.log().follow(stream(taskId), fromSeq);
    }

    /** The task's frames from {@code fromSeq} on, as many as there are, at most {@code maxFrames}; without the text of its output. */
    public Future<Page> frames(String taskId, long fromSeq, int maxFrames) {
        StreamId stream = stream(taskId);
        return forTask(stream, parts.log().read(stream, fromSeq, maxFrames));
    }

    /** Text of an output from about {@code offset} on: whole characters only. */
    public Future<OutputSlice> output(String taskId, Channel channel, long offset, int maxBytes) {
        return state(taskId).compose(state -> output(taskId, state, channel, offset, maxBytes));
    }

    /** As the other, of what was recorded in a state of the task that is known already. */
    public Future<OutputSlice> output(String taskId, TaskState state, Channel channel, long offset, int maxBytes) {
        return outputs.text(taskId, state, channel, offset, maxBytes);
    }

    /** An output's bytes, as many as are recorded now. */
    public Future<RecordedBytes> bytes(String taskId, Channel channel) {
        return outputs.bytes(taskId, channel);
    }

    /** Deletes an output of a task that has ended, so that its disk is free; what is recorded of it stays. */
    public Future<Void> deleteOutput(String taskId, Channel channel, Actor actor) {
        var deletion = new Deletion(Instant.ofEpochMilli(parts.clockMs().getAsLong()), actor.toString());
        return outputs.delete(taskId, channel, deletion)
                .onSuccess(deleted ->
                        log.info("The output {} of the task {} was deleted by {}", channel.wireName(), taskId, actor));
    }

    /** The bytes of an artifact by its id, as many as its task has recorded now; or of one that has this digest. */
    public Future<RecordedBytes> artifact(String artifactId) {
        return outputs.artifact(artifactId);
    }

    /** Stores bytes that belong to no task, under an id made of their digest. */
    public Future<Sealed> storeArtifact(byte[] bytes) {
        return vertx.executeBlocking(() -> parts.artifacts().store(bytes)).compose(Objects::requireNonNull);
    }

    /**
     * Fills in what to show of pieces of output, for one follower after the other.
     *
     * @param live whether also what is not stored, as long as it is in memory
     */
    public DeltaReader deltaReader(InlineText inline, boolean live) {
        return new DeltaReader(parts.artifacts(), inline, live);
    }

    /** Shows a task's frames to one who follows it, and is closed when that one goes. */
    public JsonFrames jsonFrames(FollowRange following, InlineText inline) {
        return new JsonFrames(tails, deltaReader(inline, following.isLive()), following, inline);
    }

    /** The bytes of pieces of output, for one follower of the task after the other. */
    public DeltaBytes deltaBytes(FollowRange following) {
        return new DeltaBytes(parts.artifacts(), following.isLive());
    }

    /** The first of the frames at the task's end that have so many bytes of output together. */
    public Future<Long> lastBytes(String taskId, TaskState known, long bytes) {
        return TailStart.from(parts.log(), stream(taskId), known.nextSeq(), bytes);
    }

    /** Carries out a command; completes with the seq of the frame that records it, or with null where no frame of its own does. */
    public Future<@Nullable Long> apply(TaskCommand command) {
        Future<@Nullable Long> done = shards.<@Nullable Long>request(
                        command.taskId(), new ShardRequest.Command(command))
                .recover(e -> notReady(e)
                        ? state(command.taskId())
                                .compose(known -> Future.failedFuture(explained((Failure) e, command.taskId(), known)))
                        : Future.failedFuture(e));
        return command instanceof TaskCommand.Cancel ? orOver(command.taskId(), done) : done;
    }

    /** What policy said about the task, from this frame on; as much as can be found in one go. */
    public Future<VerdictPage> verdicts(String taskId, long fromSeq) {
        StreamId stream = stream(taskId);
        return forTask(stream, new VerdictReader(parts.log(), stream, fromSeq).read());
    }

    /** To cancel a task that is over is no failure, also if it ended just now. */
    private Future<@Nullable Long> orOver(String taskId, Future<@Nullable Long> cancelled) {
        return cancelled.recover(e -> notReady(e)
                ? state(taskId)
                        .compose(state ->
                                state.run().ending() == null ? Future.failedFuture(e) : Future.succeededFuture())
                : Future.failedFuture(e));
    }

    private static boolean notReady(Throwable why) {
        return why instanceof Failure failure && failure.code() == FailureCode.TASK_NOT_READY;
    }

    /** A task that no shard has and that has not ended was left by a server that died; its end is told in a moment. */
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

    private static <T> Future<T> forTask(StreamId stream, Future<T> asked) {
        return asked.recover(e -> Future.failedFuture(
                e instanceof Failure failure && failure.code() == FailureCode.STREAM_NOT_FOUND
                        ? new Failure(FailureCode.TASK_NOT_FOUND, "There is no task " + stream.id(), e)
                        : e));
    }
}
