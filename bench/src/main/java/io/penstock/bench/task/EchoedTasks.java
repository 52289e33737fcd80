package io.penstock.bench.task;

import static io.penstock.bench.log.BenchPostgres.await;

import io.penstock.engine.pump.TaskApi;
import io.penstock.frames.Channel;
import io.penstock.frames.ExecutionMode;
import io.penstock.frames.Frame;
import io.penstock.frames.ToolTaskOutputDelta;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tasks whose programs only sleep, while this process writes to their outputs through /proc: so only the engine is
 * measured. The tasks and their followers belong to one shard; a follower that has seen a piece completely writes the
 * next one to the next task's output. With many tasks, none of them writes often enough for its output to be gathered.
 */
final class EchoedTasks {

    private final List<FileChannel> outputs;
    private final ByteBuffer piece;
    private final Context shard;
    private long thread;
    private int at;
    private long missing;
    private int left;
    private Promise<Void> done = Promise.promise();

    private EchoedTasks(Context shard, List<FileChannel> outputs, int bytes) {
        this.shard = shard;
        this.outputs = outputs;
        this.piece = ByteBuffer.allocateDirect(bytes);
    }

    static EchoedTasks begin(BenchEngine engine, String mode, int bytes, int count) throws Exception {
        ExecutionMode execution = mode.equals("pty") ? ExecutionMode.PTY : ExecutionMode.PIPES;
        Channel channel = execution == ExecutionMode.PTY ? Channel.PTY : Channel.STDOUT;
        var outputs = new ArrayList<FileChannel>();
        var tasks = new ArrayList<String>();
        Context shard = null;
        while (tasks.size() < count) {
            String task = engine.spawn(Sleeper.COMMAND, execution);
            Context its = shardOf(engine.tasks(), task);
            if (shard == null || its == shard) {
                shard = its;
                outputs.add(Sleeper.output(Sleeper.pid(engine.tasks(), task, channel)));
                tasks.add(task);
            }
        }
        var begun = new EchoedTasks(Objects.requireNonNull(shard), outputs, bytes);
        for (String task : tasks) {
            begun.follow(engine.tasks(), task);
        }
        return begun;
    }

    private void follow(TaskApi tasks, String task) {
        long from = await(tasks.state(task)).nextSeq();
        Promise<Void> following = Promise.promise();
        shard.runOnContext(v -> {
            thread = Thread.currentThread().threadId();
            tasks.follow(task, from).handler(this::seen);
            following.complete();
        });
        await(following.future());
    }

    /** A shard answers queries about a living task on its own context, to callers that registered before the answer. */
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

    /** Writes this many pieces, one after the other. */
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
        at = (at + 1) % outputs.size();
        try {
            Sleeper.writeAll(outputs.get(at), piece);
        } catch (IOException e) {
            done.fail(e);
        }
    }
}
