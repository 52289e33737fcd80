package io.penstock.engine.pump;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.log.TaskQuery;
import io.penstock.engine.log.TaskRow;
import io.penstock.engine.log.TaskStanding;
import io.penstock.engine.spawn.TerminalSize;
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
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The one door to tasks: every edge is a skin over this. May be called from any thread. */
public final class TaskApi {

    private final TaskParts parts;
    private final List<PumpVerticle> shards;
    private final OutputReads outputs;
    private final EncodedTails tails = new EncodedTails();
    private final EndedStates ended;

    public TaskApi(Vertx vertx, TaskParts parts, List<PumpVerticle> shards) {
        this.parts = parts;
        this.ended = parts.ended();
        this.shards = List.copyOf(shards);
        this.outputs = new OutputReads(vertx, parts.artifacts(), this::state);
    }

    /** Begins a task; completes with its id when its first frame is accepted, while its program is being started. */
    public Future<String> spawn(TaskRequest request) {
        String taskId = UUID.randomUUID().toString();
        return shardOf(taskId).spawn(taskId, request).map(first -> taskId);
    }

    /** The task's state: the fold of its frames. */
    public Future<TaskState> state(String taskId) {
        TaskState over = ended.find(taskId);
        if (over != null) {
            return Future.succeededFuture(over);
        }
        StreamId stream = stream(taskId);
        return shardOf(taskId)
                .state(taskId)
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
        return forTask(stream, Folding.of(parts.log(), stream, endSeq));
    }

    /** Those that are asked for, newest first, also of earlier servers: as they are now, where they live. */
    public Future<TaskPage> list(TaskQuery query) {
        return parts.index().list(query).compose(found -> {
            List<Future<TaskView>> views = found.rows().stream().map(this::view).toList();
            return Future.all(views)
                    .map(all -> new TaskPage(
                            all.<TaskView>list().stream()
                                    .filter(view -> stillIsAskedFor(view, query))
                                    .toList(),
                            found.next()));
        });
    }

    /** An ended task does not change, and its row says all of it; of others their state is newer than any row. */
    private Future<TaskView> view(TaskRow row) {
        ToolTaskStatus end = row.toldEnd();
        return end == null
                ? state(row.taskId()).map(state -> TaskView.of(row.taskId(), state))
                : Future.succeededFuture(TaskView.of(row, end));
    }

    private static boolean stillIsAskedFor(TaskView view, TaskQuery query) {
        TaskStanding standing = query.standing();
        Ending ending = view.ending();
        return standing == null || standing.includes(view.phase(), ending == null ? null : ending.outcome());
    }

    /** The task's frames from {@code fromSeq} on, then those to come; without the text of its output. */
    public FrameFollower follow(String taskId, long fromSeq) {
        return parts.log().follow(stream(taskId), fromSeq);
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

    /** The bytes of an artifact by its id, as many as its task has recorded now; or of one that has this digest. */
    public Future<RecordedBytes> artifact(String artifactId) {
        return outputs.artifact(artifactId);
    }

    /** Fills in what to show of pieces of output, for one follower after the other. */
    public DeltaReader deltaReader() {
        return new DeltaReader(parts.artifacts());
    }

    /** Shows a task's frames to one who follows it, and is closed when that one goes. */
    public JsonFrames jsonFrames(Following following) {
        return new JsonFrames(this, following);
    }

    EncodedTail joinTail(String taskId) {
        return tails.join(taskId);
    }

    void leaveTail(String taskId) {
        tails.leave(taskId);
    }

    /** The bytes of pieces of output, for one follower of the task after the other. */
    public DeltaBytes deltaBytes() {
        return new DeltaBytes(parts.artifacts());
    }

    /** The first of the frames at the task's end that have so many bytes of output together. */
    public Future<Long> lastBytes(String taskId, TaskState known, long bytes) {
        return LastBytes.from(parts.log(), stream(taskId), known.nextSeq(), bytes);
    }

    /** Completes with the seq of the frame that tells it; so do the next two. */
    public Future<Long> stdin(String taskId, byte[] input, Actor actor) {
        return with(taskId, task -> task.stdin(input, actor));
    }

    public Future<Long> resize(String taskId, TerminalSize size, Actor actor) {
        return with(taskId, task -> task.resize(size, actor));
    }

    public Future<Long> signal(String taskId, String signal, Actor actor) {
        return with(taskId, task -> task.signal(signal, actor));
    }

    /** What policy said about the task, from this frame on; as much as can be found in one go. */
    public Future<VerdictPage> verdicts(String taskId, long fromSeq) {
        StreamId stream = stream(taskId);
        return forTask(stream, new VerdictReader(parts.log(), stream, fromSeq).read());
    }

    /** Answers what policy asks about a spawn, before its program is started. */
    public Future<Void> answer(String taskId, boolean allow, String reason, Actor actor) {
        return with(taskId, task -> task.beginning().answer(allow, reason, actor));
    }

    public Future<Void> cancel(String taskId, @Nullable String reason, Actor actor) {
        return orOver(taskId, with(taskId, task -> task.cancel(reason, actor)));
    }

    /** A task that is over is no failure of a cancel: that is what was asked for, also if it came about just now. */
    private Future<Void> orOver(String taskId, Future<Void> cancelled) {
        return cancelled.recover(e -> e instanceof Failure failure && failure.code() == FailureCode.TASK_NOT_READY
                ? state(taskId)
                        .compose(state ->
                                state.run().ending() == null ? Future.failedFuture(e) : Future.succeededFuture())
                : Future.failedFuture(e));
    }

    /** What can be done with a task that lives, by one way to its shard; what cannot be found is said as such. */
    private <T> Future<T> with(String taskId, PumpVerticle.Operation<T> operation) {
        return shardOf(taskId)
                .with(taskId, operation)
                .recover(e -> e instanceof Failure failure && failure.code() == FailureCode.TASK_NOT_READY
                        ? state(taskId).compose(known -> Future.failedFuture(e))
                        : Future.failedFuture(e));
    }

    PumpVerticle shardOf(String taskId) {
        return shards.get(Math.floorMod(taskId.hashCode(), shards.size()));
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
