package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.log.FrameFollower;
import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Actor;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.penstock.frames.ToolTaskStatus;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task whose program only sleeps, while we write into its output by the name that /proc has for it: so nothing but the engine is
 * measured. Its follower lives on the shard's own event loop, and writes the next piece when it has seen the last one whole.
 */
final class EchoedTask {

    private final TaskApi tasks;
    private final String taskId;
    private final Path artifact;
    private final Context shard;
    private final FileChannel output;
    private final ByteBuffer piece;
    private final long thread;
    private final FrameFollower follower;
    private long missing;
    private int left;
    private Promise<Void> done = Promise.promise();

    private record Place(Context shard, long thread, FrameFollower follower) {}

    private EchoedTask(
            BenchEngine engine, String taskId, ExecutionMode mode, FileChannel output, int bytes, Place place) {
        this.tasks = engine.tasks();
        this.taskId = taskId;
        this.artifact = engine.artifact(
                Objects.requireNonNull(await(tasks.state(taskId)).spec())
                        .log(mode.channels().contains(Channel.PTY) ? Channel.PTY : Channel.STDOUT)
                        .path());
        this.output = output;
        this.piece = ByteBuffer.allocateDirect(bytes);
        this.shard = place.shard();
        this.thread = place.thread();
        this.follower = place.follower();
        follower.handler(this::seen);
    }

    static EchoedTask begin(BenchEngine engine, String mode, int bytes) throws Exception {
        ExecutionMode execution = mode.equals("pty") ? ExecutionMode.PTY : ExecutionMode.PIPES;
        String taskId = engine.spawn(Sleeper.COMMAND, execution);
        Channel channel = execution == ExecutionMode.PTY ? Channel.PTY : Channel.STDOUT;
        FileChannel output = Sleeper.output(Sleeper.pid(engine.tasks(), taskId, channel));
        Context shard = shardOf(engine.tasks(), taskId);
        long from = await(engine.tasks().state(taskId)).nextSeq();
        Promise<Place> placed = Promise.promise();
        shard.runOnContext(v -> placed.complete(new Place(
                shard, Thread.currentThread().threadId(), engine.tasks().follow(taskId, from))));
        return new EchoedTask(engine, taskId, execution, output, bytes, await(placed.future()));
    }

    /** What a shard answers of a living task, it tells on its own context, to those who asked to be told before it answered. */
    private static Context shardOf(TaskApi tasks, String taskId) {
        var found = new AtomicReference<@Nullable Context>();
        while (true) {
            await(tasks.state(taskId).onComplete(state -> found.set(Vertx.currentContext())));
            Context shard = found.get();
            if (shard != null) {
                return shard;
            }
        }
    }

    long loopThread() {
        return thread;
    }

    /** So many pieces, one after the other. */
    void run(int pieces) {
        Promise<Void> all = Promise.promise();
        shard.runOnContext(v -> {
            done = all;
            left = pieces;
            writeNext();
        });
        await(all.future());
    }

    private void seen(Frame frame) {
        if (frame.body() instanceof ToolTaskOutputDelta delta && left > 0) {
            missing -= delta.bytes();
            if (missing == 0) {
                if (--left > 0) {
                    writeNext();
                } else {
                    done.complete();
                }
            }
        }
    }

    private void writeNext() {
        missing = piece.capacity();
        try {
            Sleeper.writeAll(output, piece);
        } catch (IOException e) {
            done.fail(e);
        }
    }

    void end() throws IOException {
        follower.cancel();
        output.close();
        await(tasks.cancel(taskId, null, Actor.user("bench")));
        Promise<Void> ended = Promise.promise();
        tasks.follow(taskId, 0).handler(frame -> {
            if (frame.body() instanceof ToolTaskStatus status && status.ending() != null) {
                ended.tryComplete();
            }
        });
        await(ended.future());
        Files.deleteIfExists(artifact);
    }
}
